# Sums of many operands, each compared with a plain evaluation; a minute is for hangs.
set -eu

# sum SIGN COUNT SUBSCRIPTS FORMAT RESULT-FORMAT [flags]
sum() {
  local sign=$1 count=$2 at=$3 format=$4 result=$5 text='' flags=() n
  shift 5
  for n in $(seq 1 "$count"); do
    text="$text${text:+ $sign }A$n($at)"
    flags+=(-f "A$n:$format" -g "A$n:0.2")
  done
  check "R($at) = $text" "${flags[@]}" -f "R:$result" "$@"
}

# check EXPRESSION [flags]
check() {
  timeout 60 sparse-run "$@" --verify 2>&1 || echo "failed: $1"
}

# all NAMES FORMAT DENSITY: their flags
all() {
  local n
  for n in $1; do echo "-f $n:$2 -g $n:$3"; done
}

sum + 13 i compressed compressed -d i:40
sum + 40 i compressed compressed -d i:40
sum + 40 i compressed dense -d i:40
sum - 12 i hash compressed -d i:40
sum + 12 i bitmap bitmap -d i:40
sum + 13 i,j csr csr -d i:7 -d j:6
sum + 13 i,j csr dense -d i:7 -d j:6
sum + 13 i,j csc csr -d i:7 -d j:6
sum - 13 i,j dcsr dcsr -d i:7 -d j:6
sum + 13 i,j coo coo -d i:7 -d j:6
sum + 7 i,j bcsr:2x2 bcsr:2x2 -d i:7 -d j:6
sum + 12 i,j,k csf csf -d i:7 -d j:6 -d k:5
sum + 12 i,j '(i, j) -> (i : compressed, j : compressed(unordered))' dcsr -d i:7 -d j:6
sum + 9 i,j dcsr dcsr -d i:7 -d j:6 --semiring min_plus
check 'R(i) = A(i)*B(i) + C(i)*D(i) - E(i)*F(i) + G(i)*H(i) - K(i)' -f R:compressed $(all 'A B C D E F G H K' compressed 0.5) -d i:60
check 'R(i,j) = (A(i,j) + B(i,j) + C(i,j)) * (D(i,j) + E(i,j) - F(i,j)) * x(j)' -f R:dcsr $(all 'A B C D E F' dcsr 0.4) -g x:1 -d i:9 -d j:8
check 'y(i) = A(i,j)*x(j) + B(i,j) + max(C(i,j), D(i,j), exp(E(i,j)) - 1) + F(i,j)*z(i)' -f y:compressed $(all 'A B C D E F' dcsr 0.4) $(all 'x z' compressed 0.5) -d i:9 -d j:8
check 'R(i,j) = K(i,j) * (A(i,j) + B(i,j) + C(i,j) + D(i,j)) + E(i,j) + F(i,j) + G(i,j) + max(H(i,j), L(i,j))' -f R:dcsr $(all 'A B C D E F G H' dcsr 0.3) -g K:0.4 -f 'K:(i, j) -> (i : compressed(nonunique), j : dense)' -g L:0.4 -f 'L:(i, j) -> (i : compressed(nonunique), j : compressed)' -d i:9 -d j:8
