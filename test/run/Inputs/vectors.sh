# A race strategy and sparse-run's arguments: on lanes by it, and what the expression says.
set -e
race=$1
shift
sparse-run "$@" --emit sit | grep "on cpu_vector $race" >/dev/null
for cpu in x86-64 x86-64-v3 x86-64-v4; do
  for threads in 1 2; do
    LACUNA_THREADS_FROM=0 sparse-run "$@" --verify --cpu $cpu --threads $threads >said 2>&1 || {
      grep -q 'this machine' said && continue
      cat said >&2
      exit 1
    }
    grep -E '^verify: largest relative error (0|[0-9.]+e-(0[5-9]|[1-9][0-9])), at [1-9]' said || {
      cat said >&2
      exit 1
    }
  done
done
