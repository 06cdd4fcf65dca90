#!/usr/bin/env bash
# A deadlocked job exits with status 3 and one report. Each pattern (an extended regular expression) must
# match a line of the report.
#
#   deadlock_test.sh JOB CORES PROGRAM [FLAG...] -- PATTERN...
set -uo pipefail
command=("$1" -n "$2" --shared)
shift 2
while [[ $1 != -- ]]; do
  command+=("$1")
  shift
done
shift

status=0
output=$("${command[@]}" 2>&1 </dev/null) || status=$?
fail() {
  printf '%s\n%s\n' "$output" "deadlock_test: $*" >&2
  exit 1
}
((status == 3)) || fail "exited with status $status, expected 3"
reports=$(grep -c '^grappa: deadlock: every task waits' <<<"$output")
((reports == 1)) || fail "$reports reports, expected 1"
for pattern; do
  grep -Eq -- "$pattern" <<<"$output" || fail "no line matches '$pattern'"
done
