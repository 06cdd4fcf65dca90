#!/usr/bin/env bash
# Passes if checked mode reports every misuse that is possible on each of these numbers of cores.
# The job must abort with one report. The report must match the regular expression of the misuse,
# and its stack must name the function of the misuse.
#
#   misuses_test.sh LAUNCHER PROGRAM CORES...
set -uo pipefail
launcher=$1 program=$2
shift 2
export GRAPPA_CHECK=1

list=$("$launcher" -n 1 --shared "$program" --list) || exit 1
(($(wc -l <<<"$list") >= 30)) || { echo "the program lists fewer than 30 misuses"; exit 1; }
failures=0
while read -r name fewest pattern; do
  for cores in "$@"; do
    ((cores >= fewest)) || continue
    status=0
    output=$("$launcher" -n "$cores" --shared "$program" --misuse="$name" 2>&1 </dev/null) || status=$?
    report=$(head -n 1 <<<"$output")
    if ((status != 134)) || ! grep -Eq -- "$pattern" <<<"$report" ||
      ! grep -q "$name" <<<"$output"; then
      echo "$name on $cores cores: status $status"
      printf '%s\n' "$output"
      failures=$((failures + 1))
    fi
  done
done <<<"$list"
((failures == 0))
