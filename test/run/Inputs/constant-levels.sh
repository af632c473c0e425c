# constant-levels.sh: results in formats with a level that holds one coordinate, the same everywhere.
for format in '(i, j) -> (i : dense, 1 : compressed, j : compressed)' '(i, j) -> (1 : compressed, i : compressed, j : compressed)' \
  '(i, j) -> (1 : hashed, i : compressed, j : compressed)' '(i, j) -> (i : compressed, j : compressed, 2 : compressed)' \
  '(i, j) -> (0 : banded, i : compressed(unordered), j : compressed)' '(i, j) -> (i : dense, 1 : run_length, j : compressed)' \
  '(i, j) -> (i : compressed(nonunique), 1 : singleton(nonunique), j : singleton)' '(i, j) -> (i : dense, 1 : bitmap, j : dense)' \
  '(i, j) -> (1 : compressed, i : dense, 2 : compressed, j : dense)' '(i, j) -> (j : dense, i : hashed, 1 : hashed)' \
  '(i, j) -> (i : compressed(nonunique), j - i : singleton, j : offset, 0 : compressed)'; do
  for expression in "R(i,j) = A(i,j)" "R(i,j) = A(i,k) * B(k,j)" "R(i,j) = A(j,i) + B(i,j)"; do
    options=(-g A:0.3 -f A:csr)
    [[ $expression != *B* ]] || options+=(-g B:0.3 -f B:csr)
    [[ $expression != *k* ]] || options+=(-d k:6)
    for threads in 1 3; do
      sparse-run "$expression" "${options[@]}" -f "R:$format" -d i:6 -d j:6 --threads $threads --verify --check 2>&1 |
        grep -q '^verify: largest relative error [0-9.]*\(e-1[0-9]\)\?,' && echo right || echo "$expression $format $threads"
    done
  done
done
