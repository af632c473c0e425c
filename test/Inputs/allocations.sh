#!/usr/bin/env bash
# allocations.sh COMMAND... - lets the runtime's allocations fail from the first on, then from the
# second on, ..., until the command succeeds: until then each run must end with exit status 1 and one
# line that says that memory ran out, and at last the command must print what it prints otherwise.
expected=$("$@" 2>/dev/null) || { echo "does not run: $*" >&2; exit 1; }
for ((n = 0; n < 1000; n++)); do
  printed=$(LACUNA_FAIL_ALLOCATION_AFTER=$n timeout 60 "$@" 2>errors)
  status=$?
  said=$(grep -v '^remark: ' errors)
  if [ $status = 0 ] && [ "$printed" = "$expected" ] && [ -z "$said" ]; then
    [ $n -gt 5 ] || { echo "only $n allocations: $*" >&2; exit 1; }
    exit 0
  fi
  if [ $status != 1 ] || ! [[ $said =~ ^error:\ .*memory ]] || [ "$(wc -l <<<"$said")" != 1 ]; then
    printf 'with %d allocations: exit status %d: %s\n  %s\n' $n $status "$*" "$said" >&2
    exit 1
  fi
done
echo "never succeeds: $*" >&2
exit 1
