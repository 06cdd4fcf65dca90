#!/usr/bin/env bash
# On SIGUSR1 to the launcher, a running job prints one table of its waiting workers per signal, and
# continues. With --busy, the last core computes for two seconds first: the first table is printed without
# waiting for this core, and the second table includes it.
#
#   live_table_test.sh PROGRAM JOB CORES [--busy] [FLAG...]
set -euo pipefail
program=$1 job=$2 cores=$3
shift 3
way=(--way=sleeper) busy=
if [[ ${1-} == --busy ]]; then
  busy=1 way=(--way=busy_sleeper --seconds=2)
  shift
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$job" -n "$cores" --shared "$program" "${way[@]}" "$@" >"$work/output" 2>&1 &
job_pid=$!
fail() {
  cat "$work/output" >&2
  echo "live_table_test: $*" >&2
  kill -TERM "$job_pid" || true
  exit 1
}
tables() { grep -c '^grappa: what the workers wait for' "$work/output" || true; }
wait_for() {  # COUNT: waits until COUNT tables have been printed
  for ((tries = 0; tries < 200; ++tries)); do
    (($(tables) < $1)) || return 0
    sleep 0.1
  done
  fail "no table after the signal"
}

for ((tries = 0; tries < 200; ++tries)); do
  ! grep -q '^started' "$work/output" || break
  sleep 0.1
done
for ((count = 1; count <= 2; ++count)); do
  kill -USR1 "$job_pid"
  wait_for "$count"
  [[ ! $busy || $count != 1 ]] || sleep 3
done
late=$(grep -c 'has not answered' "$work/output" || true)
((late == ${busy:-0})) || fail "$late reports of a core that has not answered"
grep -Eq '^ +0 +1  the end of the finish scope at 0x.*, units of open work: [0-9]+' "$work/output" ||
  fail "the main task's finish scope is not in the table"
grep -q 'deadlock.cpp:' "$work/output" || fail "the stack does not show the program"
grep -Eq "^ +$((cores - 1)) +1  a time" "$work/output" || fail "the sleeper is not in the table"
for ((core = 0; core < cores; ++core)); do
  grep -Eq "^ +$core  " "$work/output" || fail "core $core is not in the table"
done
kill -0 "$job_pid" || fail "the job has exited"
kill -TERM "$job_pid"
wait "$job_pid" || true
(($(tables) == 2)) || fail "$(tables) tables for two signals"
