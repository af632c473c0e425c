# sparse-run's arguments, result A: the same bits on 1, 2, 3 and 7 threads, which are what the expression says.
set -e
sparse-run "$@" --verify --check -o A:one.tns
for threads in ${THREADS:-2 3 7}; do
  LACUNA_THREADS_FROM=0 sparse-run "$@" --threads $threads --verify --check -o A:many.tns 2>said
  ! grep 'remark: no loop' said
  cmp one.tns many.tns
done
