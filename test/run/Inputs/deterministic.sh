# sparse-run's arguments, result y: the same bits on 1, 2, 3 and 7 threads.
set -e
for threads in 1 ${THREADS:-2 3 7}; do
  LACUNA_THREADS_FROM=0 sparse-run "$@" --deterministic --threads $threads --check -o y:$threads.tns 2>said ||
    { cat said >&2; exit 1; }
  cmp 1.tns $threads.tns
done
