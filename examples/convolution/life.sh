#!/usr/bin/env bash
# life.sh - a stencil on a sparse grid: the glider of Conway's Game of Life. Only cells that live are
# stored. After four generations it is as it was, one row and one column on.
#
#   examples/convolution/life.sh [BUILD_FOLDER]
#
# S counts the living cells in each window of 3x3. A cell lives next where that is 3, or where it
# lives and that is 4: itself and three around it.
set -euo pipefail
bin=$(cd "${1:-build}" && pwd)/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >0.mtx <<'GLIDER'
%%MatrixMarket matrix coordinate integer general
1000000 1000000 5
1 2 1
2 3 1
3 1 1
3 2 1
3 3 1
GLIDER

for generation in 0 1 2 3 4; do
  awk -v generation=$generation '/^%/ { next }
    !sizes { sizes = 1; next }
    { lives[$1, $2] = $3; cells++ }
    END {
      printf "generation %d, %d cells\n", generation, cells
      for (i = 1; i <= 5; i++) {
        line = ""
        for (j = 1; j <= 5; j++) line = line (lives[i, j] ? "#" : ".")
        print line
      }
    }' $generation.mtx
  "$bin/sparse-run" \
    'S(i,j) = Old[pad](i+k-1,j+l-1); New(i,j) = (S(i,j) == 3) + Old(i,j) * (S(i,j) == 4)' \
    -i Old:$generation.mtx -f Old:dcsr -f S:dcsr -f New:dcsr -t Old:i64 -t S:i64 -t New:i64 \
    -d k:3 -d l:3 --drop-zeros -o New:$((generation + 1)).mtx
done
