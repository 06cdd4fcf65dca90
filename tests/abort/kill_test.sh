#!/usr/bin/env bash
# Sends a signal to one core of a running job, or to the launcher. All processes must exit within seconds,
# the status must not be 0, and no process or shared memory segment may remain.
#
#   kill_test.sh core|launcher SIGNAL PROGRAM JOB [FLAG...]
set -euo pipefail
whom=$1 signal=$2 program=$3 job=$4
shift 4

# A unique program name distinguishes this job from other jobs of the same program.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mine=$work/endless_$$
ln -s "$program" "$mine"
# Prints the processes of the cores, without mpirun.
cores_alive() { pgrep -f "^$mine" || true; }
fail() {
  echo "kill_test: $*" >&2
  pkill -KILL -f "$mine" || true
  exit 1
}

# A shell starts background jobs with SIGINT ignored, and the launcher respects that: restore the default.
env --default-signal=INT "$job" -n 4 --shared "$mine" "$@" >"$work/output" 2>&1 &
job_pid=$!
for ((tries = 0; tries < 200; ++tries)); do
  [[ $(cores_alive | wc -l) -lt 4 ]] || break
  sleep 0.1
done
mapfile -t victims < <(cores_alive)
((${#victims[@]} == 4)) || fail "the job has not started: $(cat "$work/output")"
sleep 1  # until the cores exchange messages
# Shared memory files that the job has mapped, including the files of Open MPI.
mapped=$(printf '/proc/%s/maps\n' "${victims[@]}" | xargs cat | grep -o '/dev/shm/[^ ]*' | sort -u || true)

if [[ $whom == core ]]; then victim=${victims[2]}; else victim=$job_pid; fi
kill "-$signal" "$victim"
start=$SECONDS
status=0
wait "$job_pid" || status=$?
((SECONDS - start <= 10)) || fail "the job took $((SECONDS - start)) s to exit"
((status != 0)) || fail "the job exited with status 0"
for ((tries = 0; tries < 30; ++tries)); do
  [[ $(cores_alive) ]] || break
  sleep 0.1
done
[[ -z $(cores_alive) ]] || fail "processes remain: $(cores_alive)"
for segment in $mapped; do
  for ((tries = 0; tries < 30; ++tries)); do
    [[ -e $segment ]] || break
    sleep 0.1
  done
  [[ ! -e $segment ]] || fail "$segment remains"
done
echo "status $status after $((SECONDS - start)) s; nothing left"
