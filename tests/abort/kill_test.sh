#!/usr/bin/env bash
# Send a signal to one process of a running job, or to the launcher: all end within seconds, the status
# is not 0, and neither a process nor a shared memory segment stays behind.
#
#   kill_test.sh core|launcher SIGNAL PROGRAM JOB [FLAG...]
set -euo pipefail
whom=$1 signal=$2 program=$3 job=$4
shift 4

# A name of its own, so that other jobs of the same program are not mistaken for this one.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mine=$work/endless_$$
ln -s "$program" "$mine"
# Processes whose command is ours, mpirun itself left out.
cores_alive() { pgrep -f "^$mine" || true; }
fail() {
  echo "kill_test: $*" >&2
  pkill -KILL -f "$mine" || true
  exit 1
}

# A shell lets what it starts in the background ignore SIGINT, and the launcher complies with that.
env --default-signal=INT "$job" -n 4 --shared "$mine" "$@" >"$work/output" 2>&1 &
job_pid=$!
for ((tries = 0; tries < 200; ++tries)); do
  [[ $(cores_alive | wc -l) -lt 4 ]] || break
  sleep 0.1
done
mapfile -t victims < <(cores_alive)
((${#victims[@]} == 4)) || fail "the job has not started: $(cat "$work/output")"
sleep 1  # well into the exchange of messages
# Files of shared memory that the job has mapped, ours and Open MPI's.
mapped=$(printf '/proc/%s/maps\n' "${victims[@]}" | xargs cat | grep -o '/dev/shm/[^ ]*' | sort -u || true)

if [[ $whom == core ]]; then victim=${victims[2]}; else victim=$job_pid; fi
kill "-$signal" "$victim"
start=$SECONDS
status=0
wait "$job_pid" || status=$?
((SECONDS - start <= 10)) || fail "took $((SECONDS - start)) s to end"
((status != 0)) || fail "ended with status 0"
for ((tries = 0; tries < 30; ++tries)); do
  [[ $(cores_alive) ]] || break
  sleep 0.1
done
[[ -z $(cores_alive) ]] || fail "processes stay behind: $(cores_alive)"
for segment in $mapped; do
  for ((tries = 0; tries < 30; ++tries)); do
    [[ -e $segment ]] || break
    sleep 0.1
  done
  [[ ! -e $segment ]] || fail "$segment stays behind"
done
echo "status $status after $((SECONDS - start)) s; nothing left"
