# sparse-run's arguments: what it prints, and where a file is wrong what it says, is the same whether one thread reads or
# several do, also of a file of a few lines.
sparse-run "$@" --threads 1 >one 2>one.said
said=$?
grep -v '^remark' one.said >one.error
for threads in ${THREADS:-2 3 7}; do
  LACUNA_THREADS_FROM=0 sparse-run "$@" --threads $threads >many 2>many.said
  [ $? = $said ] || exit 1
  grep -v '^remark' many.said >many.error
  cmp one many && cmp one.error many.error || exit 1
done
cat one.error
