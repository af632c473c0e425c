#!/usr/bin/env bash
# demo.sh - Lacuna's main job on real input, seen from all sides: a matrix file of a million rows is
# made, multiplied with a vector, timed against the memory's bandwidth, and the result checked.
#
#   examples/demo.sh [BUILD_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(cd "${1:-build}" && pwd)/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rows=1000000
expression='y(i) = A(i,j) * x(j)'
threads=$(nproc)

title() { printf '\n== %s\n' "$*"; }
field() { sed -n "s/.*\"$2\": \([0-9.e+-]*\).*/\1/p" "$1"; }

title "A matrix of a million rows: the Laplacian of a 1000 x 1000 grid"
"$bin/sparse-gen" stencil2d --rows $rows -o "$work/A.mtx"
"$bin/sparse-gen" vector --rows $rows --seed 7 -o "$work/x.mtx"
ls -l "$work" | awk 'NR > 1 { printf "   %-6s %6.1f MB\n", $NF, $5 / 1e6 }'

title "The expression, with the formats of its tensors"
echo "   $expression        A: csr   x, y: dense"

title "What it becomes, rung by rung (lines of text)"
for rung in tin cin sit mlir llvm asm; do
  lines=$("$bin/sparse-run" "$expression" -f A:csr --emit $rung | wc -l)
  printf '   %-5s %5d\n' "$rung" "$lines"
done
echo
echo "   The loops, as concrete index notation (sparse-run --emit cin):"
"$bin/sparse-run" "$expression" -f A:csr --emit cin | sed 's/^/   | /'

title "Running it"
"$bin/sparse-run" "$expression" -i "A:$work/A.mtx" -f A:csr -i "x:$work/x.mtx" -o "y:$work/y.tns" \
  --time 20 --json "$work/one.json"
"$bin/sparse-run" "$expression" -i "A:$work/A.mtx" -f A:csr -i "x:$work/x.mtx" \
  --threads "$threads" --time 20 --json "$work/all.json"

title "The bandwidth of this machine, measured by summing a dense matrix of as many bytes"
for t in 1 "$threads"; do
  "$bin/sparse-run" 's(i) = D(i,j) * w(j)' -g D:1 -g w:1 -d i:1040 -d j:12500 \
    --threads "$t" --time 20 --json "$work/read-$t.json"
done
awk -v one="$(field "$work/one.json" gb_per_s)" -v all="$(field "$work/all.json" gb_per_s)" \
  -v read="$(field "$work/read-1.json" gb_per_s)" \
  -v readall="$(field "$work/read-$threads.json" gb_per_s)" -v n="$threads" 'BEGIN {
  printf "   y = A x on one thread: %.1f GB/s of %.1f; on %d threads: %.1f GB/s of %.1f.\n",
         one, read, n, all, readall
}'

title "Is it right?"
awk 'FNR == 1 { file++ }
     file == 1 && !/^%/ { if (n++) x[n - 1] = $1 }
     file == 2 && !/^%/ { if (m++) y[$1] += $3 * x[$2] }
     file == 3 { d = y[$1] - $2; if (d < 0) d = -d; if (d > worst) worst = d; rows++ }
     END { printf "%d %g\n", rows, worst }' "$work/x.mtx" "$work/A.mtx" "$work/y.tns" >"$work/check"
read -r checked worst <"$work/check"
echo "   $checked rows compared with a plain sum over the files: largest difference $worst"
awk -v rows="$checked" -v want=$rows -v worst="$worst" 'BEGIN { exit !(rows == want && worst < 1e-9) }' ||
  { echo "The result is WRONG."; exit 1; }

printf '\nThe demo is done: a million rows in %.1f ms on one thread, and every one of them is right.\n' \
  "$(awk -v s="$(field "$work/one.json" median_s)" 'BEGIN { print 1000 * s }')"
