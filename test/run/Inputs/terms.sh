# terms.sh: sums of a.mtx and b.mtx, which lie here, in pairs of formats, into several; what is said of each.
sum() { sparse-run "C(i,j) = A(i,j) $4 B(i,j)" -i A:a.mtx -f "A:$1" -i B:b.mtx -f "B:$2" -f "C:$3" --verify; }
for result in csr dense bcsr:4x4 dcsr coo bitmap hash; do sum bcsr:4x4 csr $result +; done
for result in csr dense bcsr:2x2; do
  sum bcsr:4x4 coo $result -
  sum dia csr $result -
  sum bcsr:2x2 bcsr:4x4 $result +
done
sum csr csc dense -
sum bcsc:4x4 csr dense +
sum csb:4x4 csr dense -
sum ell csr dense +
