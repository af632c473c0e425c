#!/usr/bin/env bash
# edges.sh - the edges in a picture: a disc and a square, 3x3 filter, and what is left of them.
#
#   examples/convolution/edges.sh [BUILD_FOLDER]
#
# The filter is 8 in its middle and -1 around it: what is of one colour comes to 0.
set -euo pipefail
bin=$(cd "${1:-build}" && pwd)/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

awk -v rows=20 -v columns=40 'BEGIN {
  for (i = 1; i <= rows; i++)
    for (j = 1; j <= columns; j++)
      if ((2 * (i - 10))^2 + (j - 13)^2 <= 144 || i >= 6 && i <= 15 && j >= 29 && j <= 37)
        entry[n++] = i " " j " " 200
  print "%%MatrixMarket matrix coordinate integer general"
  print rows, columns, n
  for (e = 0; e < n; e++) print entry[e]
}' >picture.mtx
cat >filter.mtx <<'FILTER'
%%MatrixMarket matrix array integer general
3 3
-1
-1
-1
-1
8
-1
-1
-1
-1
FILTER

"$bin/sparse-run" 'Edges(i,j) = Picture[pad](i+k-1,j+l-1) * Filter(k,l)' \
  -i Picture:picture.mtx -f Picture:csr -i Filter:filter.mtx -f Filter:dense -f Edges:csr \
  -t Picture:i64 -t Filter:i64 -t Edges:i64 --drop-zeros -o Edges:edges.mtx

draw() {
  awk '/^%/ { next }
       !rows { rows = $1; columns = $2; next }
       { value[$1, $2] = $3 }
       END {
         for (i = 1; i <= rows; i++) {
           line = ""
           for (j = 1; j <= columns; j++) line = line (value[i, j] > 0 ? "#" : ".")
           print line
         }
       }' "$1"
}
draw picture.mtx
echo
draw edges.mtx
