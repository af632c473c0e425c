# other-orders.sh: results with compound subscripts of operands that are stored in different orders.
list='(i, j) -> (i : compressed(unordered, nonunique), j : singleton)'
strange='(i, j, k) -> (i : dense, k : compressed(unordered), j : compressed(unordered))'
each() {
  expression=$1
  shift
  for format in dense csr coo; do
    for more in '--threads 1' '--threads 2 --semiring min_plus'; do
      sparse-run "$expression" -g A:0.4 -g B:0.4 "$@" -f "R:$format" $more --verify --check 2>&1 |
        grep -q '^verify: largest relative error [0-9.]*\(e-1[0-9]\)\?,' && echo right || echo "$expression $* $format $more"
    done
  done
}
each 'R(i-j+5,i) = A(j,i) * B(i,j)' -f "A:$list" -f B:csr -d i:5 -d j:6
each 'R(i+k,2) = A(i,j,k) * B(k,j)' -f "A:$strange" -f B:csc -d i:5 -d j:6 -d k:4
each 'R(1,1) = A(i,j,k) * B(k,j)' -f "A:$strange" -f B:csr -d i:5 -d j:6 -d k:4
each "R(i,i) = (A(i,j,k) + C(l,i+1)) * B(j,i)" -g C:0.5 -f "A:$strange" -f B:csr -f C:csr -d i:3 -d j:5 -d k:4 -d l:5
