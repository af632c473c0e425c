# nested-sums.sh: a product that is one of the terms, into several formats; what is said of each.
for result in csr dcsr coo hash dense csc bcsr:4x4 ell; do
  sparse-run 'C(i,j) = D(i,j) - A(i,k) * B(k,j)' -f A:csr -f B:csr -f D:csr -f "C:$result" \
    -d i:40 -d j:90 -d k:50 -g A:0.1 -g B:0.1 -g D:0.1 --verify --check
done
