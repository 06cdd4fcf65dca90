#!/usr/bin/env bash
# Runs a test program in simulations with faults, each seed twice, and compares their hashes. A failure
# prints the command that repeats it.
#
#   seeds_test.sh JOB CLUSTER FIRST LAST PROGRAM [ARGUMENT...]
set -uo pipefail
job=$1 cluster=$2 first=$3 last=$4
shift 4
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"
command=("$@")

for ((seed = first; seed <= last; ++seed)); do
  for run in 1 2; do
    simulation=$cluster,faults,seed=$seed,processors=1
    status=0
    timeout 300 "$job" --simulate="$simulation" "${command[@]}" >"$scratch/$run" 2>&1 </dev/null || status=$?
    ((status != 0)) || continue
    fail "status $status; run: $job --simulate=$simulation ${command[*]}"
    tail -n 40 "$scratch/$run"
    break
  done
  ((status != 0)) || cmp -s "$scratch/1" "$scratch/2" ||
    fail "two runs differ with $simulation: $(tail -n 1 "$scratch/1") and $(tail -n 1 "$scratch/2")"
done
exit $((failures > 0))
