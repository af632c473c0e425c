#!/usr/bin/env bash
# enlarge.sh - a picture at twice its size by a transposed convolution: each pixel adds a patch.
#
#   examples/convolution/enlarge.sh [BUILD_FOLDER]
#
# The patches of the filter, 3 x 3 and two places apart, overlap by one: between two pixels there
# is their mean.
set -euo pipefail
bin=$(cd "${1:-build}" && pwd)/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

awk -v rows=8 -v columns=18 'BEGIN {
  for (i = 1; i <= rows; i++)
    for (j = 1; j <= columns; j++)
      if (i + j == 9 || j - i == 9 || i == 8 && j > 3 && j < 15)
        entry[n++] = i " " j " " 4
  print "%%MatrixMarket matrix coordinate integer general"
  print rows, columns, n
  for (e = 0; e < n; e++) print entry[e]
}' >picture.mtx
cat >filter.mtx <<'FILTER'
%%MatrixMarket matrix array real general
3 3
0.25
0.5
0.25
0.5
1
0.5
0.25
0.5
0.25
FILTER

"$bin/sparse-run" 'Large(2*i+k,2*j+l) = Picture(i,j) * Filter(k,l)' \
  -i Picture:picture.mtx -f Picture:csr -i Filter:filter.mtx -f Filter:dense -f Large:csr \
  -o Large:large.mtx

draw() {
  awk '/^%/ { next }
       !rows { rows = $1; columns = $2; next }
       { value[$1, $2] = $3 }
       END {
         for (i = 1; i <= rows; i++) {
           line = ""
           for (j = 1; j <= columns; j++) line = line substr(".-=+#", 1 + value[i, j], 1)
           print line
         }
       }' "$1"
}
draw picture.mtx
draw large.mtx
