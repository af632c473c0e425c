# entries.sh FOLDER: how many entries results have, in all formats, orders and places the same ones.
export LACUNA_THREADS_FROM=0
sizes='-d i:23 -d j:19 -d k:17'

# each NAME FORMATS ORDERS EXPRESSION OPTION...
each() {
  for format in $2; do
    for order in none $3; do
      for place in '--threads 1' '--threads 3' '--target gpu-emulated'; do
        sparse-run "${@:4}" -f "C:$format" -s "${order#none}" $place -o "C:$folder/C.tns" 2>/dev/null || echo refused >"$folder/C.tns"
        grep -v '^#' "$folder/C.tns" | sed 's/ [^ ]*$//' | sort >"$folder/found"
        [ -f "$folder/$1" ] || cp "$folder/found" "$folder/$1"
        cmp -s "$folder/found" "$folder/$1" || echo "$1: other entries: $format $order $place"
      done
    done
  done
  echo "$1: $(wc -l <"$folder/$1")"
}

folder=$1
matrices='dcsr coo hash csc'
orders='reorder(i,j,k)'
each product "$matrices" "$orders" 'C(i,j) = A(i,k) * B(k,j)' -f B:csc -g A:0.05 -g B:0.08 $sizes
each masked "$matrices" "$orders" 'C(i,j) = M(i,j) * A(i,k) * B(k,j)' -f B:csc -g A:0.1 -g B:0.1 -g M:0.3 $sizes
each added 'csr coo hash' '' 'C(i,j) = M(i,j) + A(i,k) * B(k,j)' -f B:csc -g A:0.05 -g B:0.08 -g M:0.05 $sizes
each either 'csr hash' '' 'C(i,j) = A(i,k) * B(k,j) + E(i,l) * D(l,j)' -f B:csc -f D:csc -g A:0.05 -g B:0.05 -g D:0.05 -g E:0.02 $sizes -d l:13
each both 'csr hash' '' 'C(i,j) = A(i,k) * B(k,j) * E(i,l) * D(l,j)' -f B:csc -f D:csc -g A:0.1 -g B:0.1 -g D:0.1 -g E:0.1 $sizes -d l:13
each vector 'compressed hashed bitmap' '' 'C(i) = A(i,k) * x(k)' -f A:csr -f x:compressed -g A:0.1 -g x:0.3 -d i:23 -d k:17
each fibres 'csr dcsr coo hash' '' 'C(i,j) = T(i,j,k) * x(k)' -f x:compressed -g T:0.02 -g x:0.3 $sizes
each window 'compressed hashed' '' 'C(i) = x(i+k) * w(k)' -f x:compressed -f w:compressed -g x:0.1 -g w:0.5 -d i:50 -d k:6
each fibres-meet 'csr hash' '' 'C(i,j) = T(i,j,k) * U(i,j,k)' -f T:csf -f U:csf -g T:0.2 -g U:0.2 -d i:11 -d j:13 -d k:5
