#!/usr/bin/env bash
# Low resource limits: a job runs, or exits with status 2 and prints one line, and never hangs.
#
#   limits_test.sh ACTOR JOB
set -uo pipefail
actor=$(realpath -- "$1") job=$(realpath -- "$2")
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"

# limited SCRIPT SENTENCE: runs a job of four cores after SCRIPT, which sets a limit. SENTENCE is the
# expected error message, or empty if the job must run.
limited() {
  local output status=0
  output=$(timeout 30 bash -c "$1 && exec \"\$@\"" bash "$job" -n 4 --shared "$actor" run finalize 2>&1 </dev/null) ||
    status=$?
  if [[ $2 ]]; then
    ((status == 2)) && [[ $output =~ ^grappa:\ $2$ ]] || fail "$1: status $status, '$output', expected '$2'"
  else
    ((status == 0)) && [[ ! $output ]] || fail "$1: status $status, '$output'"
  fi
}

limited 'ulimit -n 12' 'a job of 4 cores needs [0-9]+ file descriptors, but the hard limit is 12: raise the limit \(ulimit -n\)'
limited 'ulimit -Sn 12' ''
limited 'ulimit -s 160' 'a job of 4 cores needs [0-9]+ KiB of stack for each process, but the hard limit is 160: .*ulimit -s.'
limited 'ulimit -Ss 160' ''
limited 'ulimit -f 0' 'a job of 4 cores needs [0-9]+ KiB of shared memory for each process, .*ulimit -f.'
limited 'ulimit -Sf 0' ''
limited 'ulimit -v 200000' 'a job of 4 cores needs [0-9]+ KiB of address space for each process, .*ulimit -v.'
limited 'ulimit -Sv 200000' ''
limited 'ulimit -d 100000' 'a job of 4 cores needs [0-9]+ KiB of data for each process, .*ulimit -d.'
limited 'ulimit -Sd 100000' ''
if ((EUID == 0)) && type -P setpriv >/dev/null; then  # root has no process limit
  # User 64321 has no other process.
  chmod 755 "$scratch"
  cp "$actor" "$job" "$scratch"
  run=(setpriv --reuid=64321 --clear-groups bash -c 'ulimit -u 3 && exec "$@"' bash "$scratch/job" -n 8 --shared)
  expect 2 '^grappa: cannot start process [0-9] of 8: .*ulimit -u.$' timeout 30 "${run[@]}" "$scratch/actor" sleep=60
  ! pgrep -U 64321 >/dev/null || fail 'a job that cannot start leaves processes behind'
fi
mkdir "$scratch/gone"
expect 0 '^$' bash -c "cd '$scratch/gone' && rmdir '$scratch/gone' && exec '$job' -n 2 '$actor' run finalize"
((failures == 0))
