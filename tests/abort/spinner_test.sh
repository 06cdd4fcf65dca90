#!/usr/bin/env bash
# The last core of a job runs a task that never switches. On SIGUSR1 to the process of that core, and then
# on SIGUSR1 to the launcher, the job prints the stack of the task once per signal, and continues.
#
#   spinner_test.sh PROGRAM JOB CORES
set -euo pipefail
program=$1 job=$2 cores=$3

work=$(mktemp -d)
job_pid=
trap '[[ ! $job_pid ]] || kill "$job_pid" 2>/dev/null || true; rm -rf "$work"' EXIT
: >"$work/output"
"$job" -n "$cores" --shared "$program" --way=spinner >"$work/output" 2>&1 &
job_pid=$!
fail() {
  cat "$work/output" >&2
  echo "spinner_test: $*" >&2
  exit 1
}
wait_for() {  # PATTERN COUNT: waits until COUNT lines match
  for ((tries = 0; tries < 100; ++tries)); do
    (($(grep -Ec "$1" "$work/output" || true) < $2)) || return 0
    sleep 0.1
  done
  fail "expected $2 lines that match '$1'"
}

wait_for '^started' 1
spinning=$(sed -n 's/^started //p' "$work/output")
count=0
for process in "$spinning" "$job_pid"; do
  kill -USR1 "$process"
  count=$((count + 1))
  wait_for "^grappa: core $((cores - 1)) of $cores: no poll for 1 s" "$count"
  wait_for '^    in worker [0-9]+, which runs .*spinner' "$count"
  wait_for 'spin_without_end.* at .*deadlock.cpp:[0-9]+$' "$count"
done
sleep 2  # time for a wrong second report of one signal
[[ $(grep -c 'no poll for' "$work/output") == 2 ]] || fail "more than one report of a signal"
kill -0 "$job_pid" || fail "the job has exited"
kill -TERM "$job_pid"
wait "$job_pid" || true
