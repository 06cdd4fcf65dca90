#!/usr/bin/env bash
# `grappa shrink` reduces a simulation that fails because of a race, and the reduced command fails again.
#
#   shrink_test.sh ROOT JOB PROGRAM
#
# PROGRAM fails only on three cores or more, and only with some seeds: docs/simulation/announced.cpp.
set -uo pipefail
root=$1 job=$2 program=$3
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"
shrink() { timeout 250 "$root/grappa" shrink --seeds=30 "$@"; }

for ((seed = 1; seed <= 50; ++seed)); do
  timeout 60 "$job" --simulate=3x2,faults,seed=$seed "$program" >/dev/null 2>&1 </dev/null || break
done
((seed <= 50)) || fail 'no seed finds the race'
small=$(shrink "$job" --simulate=3x2,faults,seed=$seed "$program" --values=40 2>"$scratch/log") ||
  fail "shrink failed: $(cat "$scratch/log")"
echo "$small"
[[ $small =~ --simulate=(1x3|3x1),faults=([a-z_]+\+){0,3}[a-z_]+,seed=[0-9]+,until=[0-9]+\ .*\ --values=[0-9]$ ]] ||
  fail "the command is not small: $small"
grep -q 'inevitable from [0-9]* virtual ns' "$scratch/log" || fail "no time: $(cat "$scratch/log")"
read -ra words <<<"$small"
expect 134 'was announced, found' "${words[@]}"
# Without the last nanosecond of faults, the failure is absent.
[[ $small =~ until=([0-9]+) ]] && until=${BASH_REMATCH[1]} || exit 1
expect 0 'simulation: hash' "${words[@]//until=$until/until=$((until - 1))}"

expect 1 'the command does not fail' shrink GRAPPA_SIMULATE=1x3 "$program"
expect 2 'expected the command of a simulation' shrink "$program"
expect 2 '"3" is not LOCALESxCORES' shrink "$job" --simulate=3 "$program"
exit $((failures > 0))
