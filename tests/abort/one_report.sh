#!/usr/bin/env bash
# Passes if a job ends with the status and prints one report: a first line that matches the pattern
# (an extended regular expression), and besides only lines that are indented. With --stack, one of
# these must match too.
#
#   one_report.sh [--stack PATTERN] STATUS PATTERN COMMAND [ARGUMENT...]
set -uo pipefail
stack=
if [[ $1 == --stack ]]; then
  stack=$2
  shift 2
fi
wanted=$1 pattern=$2
shift 2

status=0
output=$("$@" 2>&1 </dev/null) || status=$?
lines=$(grep -cv '^    ' <<<"$output")
if ((status == wanted && lines == 1)) && head -n 1 <<<"$output" | grep -Eq -- "$pattern" &&
    { [[ ! $stack ]] || grep '^    ' <<<"$output" | grep -Eq -- "$stack"; }; then
  exit 0
fi
printf '%s\n' "$output"
echo "ended with status $status and $lines lines that begin a report; wanted are status $wanted and \
one that says '$pattern'${stack:+, with a stack that says '$stack'}"
exit 1
