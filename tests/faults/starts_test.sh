#!/usr/bin/env bash
# Starts and ends in a row: each with status 0 and nothing to say, and none leaves a process, a file, a
# socket or a descriptor.
#
#   starts_test.sh PROGRAM JOB STARTS
set -uo pipefail
# shellcheck source=tests/faults/surroundings.sh
source "${BASH_SOURCE[0]%/*}/surroundings.sh"
starts=$3

# Sets held to what there is: descriptors of this shell, counted while it has no pipe to a child, and
# sockets with the name of the program.
look() {
  local descriptors=("/proc/$$/fd/"*)
  held="${#descriptors[@]} descriptors
$(grep "brief_$$" /proc/net/unix)"
}
start --megabytes=1  # whatever is made once
wait "$job_pid"
look
before=$held
for ((k = 0; k < starts && failures == 0; ++k)); do
  start_options=(-n $((k % 4 + 1)) --shared)
  start --megabytes=1
  status=0
  wait "$job_pid" || status=$?
  agrees $((k % 4 + 1))
  comes_true 3 nothing_is_left || fail "start $k leaves: $(left)"
done
look
[[ $held == "$before" ]] || fail "after $starts starts there is '$held', not '$before'"
((failures == 0)) && echo "$starts starts"
