#!/usr/bin/env bash
# Succeeds if a job exits with STATUS and prints one report: a first line that matches PATTERN (an extended
# regular expression), and otherwise only indented lines. With --stack, an indented line must also match.
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
echo "exited with status $status and $lines reports; expected status $wanted and one report that matches \
'$pattern'${stack:+, with a stack that matches '$stack'}"
exit 1
