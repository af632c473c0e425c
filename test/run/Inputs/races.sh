# sparse-run's arguments: on 1, 2, 3 and 7 threads what the expression says, but for how sums round.
set -e
for threads in 1 ${THREADS:-2 3 7}; do
  LACUNA_THREADS_FROM=0 sparse-run "$@" --verify --threads $threads 2>said || { cat said >&2; exit 1; }
  grep -E '^verify: largest relative error (0|[0-9.]+e-(0[4-9]|[1-9][0-9])), at [1-9]' said ||
    { cat said >&2; exit 1; }
  ! grep remark said
done
