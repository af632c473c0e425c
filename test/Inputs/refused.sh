#!/usr/bin/env bash
# refused.sh MESSAGE COMMAND... - the command must be refused as a user is to see it: exit status 1 (and
# no signal), on standard error one line that starts with `error:`, or `FILE:LINE:COLUMN: error:`, and
# has MESSAGE in it, and no file made or changed in this folder.
message=$1
shift
fail() {
  printf 'not refused: %s\n  command: %s\n  stderr: %s\n' "$1" "$command" "$said" >&2
  exit 1
}
listing() { ls -AlR --time-style=full-iso .; }
command="$*"
before=$(listing)
said=$(timeout 60 "$@" 2>&1 >/dev/null)
status=$?
said=$(grep -v '^remark: ' <<<"$said")
[ $status = 1 ] || fail "exit status $status"
[ "$(wc -l <<<"$said")" = 1 ] || fail "more than one line"
grep -qE '^([^ ]+:[0-9]+:[0-9]+: )?error: ' <<<"$said" || fail "no 'error:' at the start"
grep -qF -- "$message" <<<"$said" || fail "no '$message'"
[ "$before" = "$(listing)" ] || fail "something was left behind"
