#!/usr/bin/env bash
# Passes if a command ends with the status and its output matches the pattern (an extended regular
# expression): for programs that must fail, and must say why.
#
#   expect.sh STATUS PATTERN COMMAND [ARGUMENT...]
set -uo pipefail
wanted=$1 pattern=$2
shift 2

status=0
output=$("$@" 2>&1 </dev/null) || status=$?
if ((status == wanted)) && grep -Eq -- "$pattern" <<<"$output"; then
  exit 0
fi
printf '%s\n' "$output"
echo "ended with status $status; wanted are status $wanted and '$pattern' in the output"
exit 1
