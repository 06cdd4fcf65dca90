#!/usr/bin/env bash
# Many short jobs in sequence: each job exits with status 0 and prints nothing on stderr, and no job leaves a
# process, a file, a socket or a descriptor behind.
#
#   starts_test.sh PROGRAM JOB STARTS
set -uo pipefail
# shellcheck source=tests/faults/surroundings.sh
source "${BASH_SOURCE[0]%/*}/surroundings.sh"
starts=$3

# Sets `held` to the number of descriptors of this shell, counted while no pipe to a child is open, and to
# the sockets with the name of the program.
look() {
  local descriptors=("/proc/$$/fd/"*)
  held="${#descriptors[@]} descriptors
$(grep "brief_$$" /proc/net/unix)"
}
start --megabytes=1  # a first job, for resources that are created once
wait "$job_pid"
look
before=$held
for ((k = 0; k < starts && failures == 0; ++k)); do
  start_options=(-n $((k % 4 + 1)) --shared)
  start --megabytes=1
  status=0
  wait "$job_pid" || status=$?
  agrees $((k % 4 + 1))
  comes_true 3 nothing_is_left || fail "job $k leaves: $(left)"
done
look
[[ $held == "$before" ]] || fail "after $starts jobs: '$held', expected '$before'"
((failures == 0)) && echo "$starts starts"
