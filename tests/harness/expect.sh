#!/usr/bin/env bash
# Succeeds if a command exits with STATUS and its output matches PATTERN (an extended regular expression).
# For programs that must fail with an error message.
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
echo "exited with status $status; expected status $wanted and '$pattern' in the output"
exit 1
