# sparse-run's arguments, result y: what the expression says, and the same bits on 2, 3 and 7 threads, with
# --deterministic on one as well.
set -e
export LACUNA_THREADS_FROM=0
sparse-run "$@" --threads 2 --verify --check -o y:two.mtx
for threads in ${THREADS:-3 7}; do
  sparse-run "$@" --threads $threads -o y:many.mtx
  cmp two.mtx many.mtx
done
sparse-run "$@" --deterministic --threads 2 -o y:two.mtx
sparse-run "$@" --deterministic -o y:one.mtx
cmp one.mtx two.mtx
