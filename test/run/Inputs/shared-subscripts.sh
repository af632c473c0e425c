# shared-subscripts.sh: results whose subscripts share variables, in formats that are appended to.
each() {
  subscripts=$1
  shift
  for format in "$@"; do
    for more in '--threads 1' '--threads 2 --semiring min_plus'; do
      sparse-run "R($subscripts) = A(i,j)" -g A:0.3 -f A:csr -f "R:$format" -d i:5 -d j:6 \
        $more --verify --check 2>&1 | grep -q '^verify: largest relative error 0' && echo right || echo "R($subscripts) $format $more"
    done
  done
}
each 'i+j,i+j' csr dcsr coo ell
each 'i+j,j-i+8' dcsc bcsr:2x2
each 'i+j,i-j+9' csr sell:2 dense,compressed
each '2*i,i' csr
each 'i+j,i+2*j,j' csf
each 'i+j,i+2*j,3' csf
each 'i,i' dense,dense csr csc dcsr coo dia
each 'i,j,i' csf
# One that the loops know of the other, gathered with it.
sparse-run 'R(2*i+l,2*i+l,l) = A(l,i,k) + B(l,k)' -g A:0.4 -g B:0.5 -f A:csf \
  -f 'R:dense,compressed,dense:2,1,0' -d i:3 -d l:4 -d k:5 --verify --check 2>&1 |
  grep -q '^verify: largest relative error 0' && echo right || echo 'R(2*i+l,2*i+l,l)'
