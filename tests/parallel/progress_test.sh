#!/usr/bin/env bash
# The progress of a step appears on a terminal, also through mpirun, and not in a pipe or a file.
#
#   progress_test.sh PROGRAM JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../harness/program.sh"
type -P script >/dev/null || { echo 'needs script(1), of util-linux'; exit 77; }
unset GRAPPA_TERMINAL
export TERM=dumb

# on_terminal COMMAND: the output of a shell command on a terminal.
on_terminal() { script --quiet --return --command "$1" /dev/null </dev/null 2>&1; }

line=$'\rcounting: 33%  [0-9]+ numbers/s  2 s left\033'
sees() { [[ $2 =~ $line && $2 == *$'\r\033[K'* && $2 == *counted* ]] || fail "$1 sees no progress: ${2@Q}"; }
sees_nothing() { [[ $2 != *counting* && $2 != *$'\033'* && $2 == *counted* ]] || fail "$1 sees progress: ${2@Q}"; }

for cores in 1 2; do
  start="'$job' -n $cores --shared '$program'"
  sees "a terminal, from $cores cores," "$(on_terminal "$start")"
  sees_nothing "a pipe behind $cores cores" "$(on_terminal "$start 2>&1 | cat")"
  sees_nothing "a file behind $cores cores" \
    "$(on_terminal "$start 2>'$scratch/err'; cat '$scratch/err'")"
  succeeds $cores
done
sees 'a terminal, from a hosts list,' "$(on_terminal "'$job' --hosts localhost:2 --shared '$program'")"
sees_nothing 'a pipe of a job in a job' "$(on_terminal "GRAPPA_TERMINAL=1 '$job' -n 2 --shared '$program' 2>&1 | cat")"
sees 'a terminal of a program without mpirun' "$(on_terminal "'$program'")"
sees_nothing 'a pipe of a program without mpirun' "$(on_terminal "'$program' 2>&1 | cat")"

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
