# sums.sh EXPRESSION OPTION...: the scalar s is right on one, two, three and seven threads, and the same bits on several.
set -eu
export LACUNA_THREADS_FROM=0
for threads in 2 3 7; do
  said=$(sparse-run "$@" --threads $threads --verify -o s:- 2>said) || { cat said; exit 1; }
  ! grep remark said
  grep -q 'largest relative error' said
  [ "$threads" = 2 ] || [ "$said" = "$before" ]
  before=$said
done
