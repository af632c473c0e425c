#!/usr/bin/env bash
# allocations.sh sparse-run ARGUMENTS... - lets the runtime's allocations fail from the first on, then
# from the second on (or, of EVERY 3, from the fourth on), ..., until the command succeeds: until then
# each run must end with exit status 1 and one line that says that memory ran out, and at last the
# command must print what it prints otherwise.  What is run is compiled once, and then taken from a cache.
cache=$(mktemp -d) || exit 1
trap 'rm -rf "$cache"' EXIT
export XDG_CACHE_HOME=$cache
command=("$@" --cache)
expected=$("${command[@]}" 2>/dev/null) || { echo "does not run: $*" >&2; exit 1; }
[ -n "$(find "$cache" -type f)" ] || { echo "is not kept: $*" >&2; exit 1; }
for ((n = 0; n < 1000; n += ${EVERY:-1})); do
  printed=$(LACUNA_FAIL_ALLOCATION_AFTER=$n timeout 60 "${command[@]}" 2>errors)
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
