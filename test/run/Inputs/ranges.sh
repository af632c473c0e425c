# ranges.sh EXPRESSION OPTION...: what runs on two, three and seven threads, without a remark, is right.
set -eu
export LACUNA_THREADS_FROM=0
for threads in ${THREADS:-2 3 7}; do
  said=$(sparse-run "$@" --threads $threads --verify --check 2>&1)
  case $said in
  *remark*) echo "$said"; exit 1 ;;
  *"largest relative error"*) ;;
  *) echo "$said"; exit 1 ;;
  esac
done
