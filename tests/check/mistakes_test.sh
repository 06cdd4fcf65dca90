#!/usr/bin/env bash
# Passes if checked mode reports every mistake of a program on each of these numbers of cores. The
# job must abort with a report that contains the function around the closure and one of its lines.
#
#   mistakes_test.sh LAUNCHER PROGRAM CORES...
set -uo pipefail
folder=${BASH_SOURCE[0]%/*}
launcher=$1 program=$2 sources=("$folder/mistakes.cpp" "$folder/passed_mistakes.cpp")
shift 2
export GRAPPA_CHECK=1

names=$("$launcher" -n 1 --shared "$program" --list) || exit 1
(($(wc -l <<<"$names") >= 40)) || { echo "the program lists fewer than 40 mistakes"; exit 1; }
failures=0
for name in $names; do
  first=$(grep -hn "void $name() {" "${sources[@]}" | head -n 1 | cut -d: -f1)
  for cores in "$@"; do
    status=0
    output=$("$launcher" -n "$cores" --shared "$program" --mistake="$name" 2>&1) || status=$?
    report=$(head -n 1 <<<"$output")
    line=$(sed -nE "s/.*\[.*mistakes\.cpp:([0-9]+)\]$/\1/p" <<<"$report")
    if ((status == 134)) && ((line >= first && line <= first + 20)) &&
        grep -Eq "the closure .*$name.*, at offset [0-9]+, captures a reference or pointer to memory of core [0-9]+: capture values and GlobalAddresses" <<<"$report"; then
      continue
    fi
    echo "$name on $cores cores: status $status"
    printf '%s\n' "$output"
    failures=$((failures + 1))
  done
done
((failures == 0))
