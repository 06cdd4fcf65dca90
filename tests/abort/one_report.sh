#!/usr/bin/env bash
# Passes if a job ends with the status and prints one report: a first line that matches the pattern
# (an extended regular expression), and besides only lines that are indented.
#
#   one_report.sh STATUS PATTERN COMMAND [ARGUMENT...]
set -uo pipefail
wanted=$1 pattern=$2
shift 2

status=0
output=$("$@" 2>&1 </dev/null) || status=$?
lines=$(grep -cv '^    ' <<<"$output")
if ((status == wanted && lines == 1)) && head -n 1 <<<"$output" | grep -Eq -- "$pattern"; then
  exit 0
fi
printf '%s\n' "$output"
echo "ended with status $status and $lines lines that begin a report; wanted are status $wanted and \
one that says '$pattern'"
exit 1
