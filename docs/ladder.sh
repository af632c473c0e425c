#!/usr/bin/env bash
# ladder.sh [BIN] - prints docs/ladder.md, made by the tools in BIN (default build/bin).
#
#     docs/ladder.sh > docs/ladder.md
set -euo pipefail
bin=${1:-$(dirname "$0")/../build/bin}

# rung NAME ARGUMENT...: the program at a rung, as a block of code.
rung() {
  local name=$1
  shift
  printf '```mlir\n'
  "$bin/sparse-run" "$@" --emit "$name"
  printf '```\n\n'
}

# program TITLE TEXT EXPRESSION FLAG...: one program down the ladder.
program() {
  local title=$1 text=$2 expression=$3
  shift 3
  printf '## %s\n\n%s\n\n' "$title" "$text"
  printf "\`sparse-run '%s' %s --emit RUNG\`\n\n" "$expression" "$*"
  printf '**tin**: what is computed, and how each tensor is stored.\n\n'
  rung tin "$expression" "$@"
  printf '**cin**: in which order, with which temporaries.\n\n'
  rung cin "$expression" "$@"
  printf '**sit**: how the stored coordinates are walked (`--cpu x86-64-v4`).\n\n'
  rung sit "$expression" "$@" --cpu x86-64-v4
}

cat <<'TEXT'
# Down the ladder

Four programs at every rung. Each block is what the tools print: `docs/ladder.sh` makes this page, and
a test compares.

The rungs below `sit` are MLIR's own: `sparse-run ... --emit mlir` (scf, memref, arith), `llvm`, `asm`.

TEXT

program 'Sparse matrix times vector' \
  'One loop over the rows; below it a walk over the stored entries of a row, with a scalar that gathers their sum.' \
  'y(i) = A(i,j) * x(j)' -f A:csr

program 'The sum of two sparse matrices' \
  'The entries of a row of the result are the union of those of `B` and `C`: a walk over both levels together, with a case for each point of the merge lattice, that appends.' \
  'A(i,j) = B(i,j) + C(i,j)' -f A:csr -f B:csr -f C:csr

program 'Sparse matrix times sparse matrix' \
  'A row of the result is a sum of rows of `C`, which come in no order: a producer scatters them into a workspace, and a consumer appends what is there (Gustavson 1978).' \
  'A(i,k) = B(i,j) * C(j,k)' -f A:csr -f B:csr -f C:csr

program 'Matricized tensor times Khatri-Rao product' \
  'Three nested walks down the levels of a CSF tensor, and a dense loop innermost.' \
  'A(i,r) = B(i,k,l) * C(l,r) * D(k,r)' -f B:csf
