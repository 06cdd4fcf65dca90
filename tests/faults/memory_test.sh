#!/usr/bin/env bash
# Limits of memory: a job runs within them, or ends with one report that says what it was short of.
#
#   memory_test.sh space PROGRAM JOB       address space (ulimit -v)
#   memory_test.sh group PROGRAM JOB       a control group; skipped (status 77) where none can be made
set -uo pipefail
kind=$1
shift
# shellcheck source=tests/faults/surroundings.sh
source "${BASH_SOURCE[0]%/*}/surroundings.sh"

# in_space KIB FLAG...: a job of three cores, each of which may map so much.
in_space() {
  run_job bash -c "ulimit -v $1 && exec \"\$@\"" bash "$job" -n 3 --shared "$mine" "${@:2}"
  echo "ulimit -v $1, ${*:2}: status $status $(head -n 1 "$scratch/err")"
  agrees_or_says 3 'ulimit -v'
}

limit_space() {
  local kib
  for kib in 20000 120000 500000 510000 600000 1000000; do
    in_space $kib
  done
  agrees 3  # a gigabyte is enough
  # For message buffers of 500 MB on each core it is not, nor for stacks of 1 GB.
  in_space 1000000 --buffers_per_core=8000
  ((status == 134)) || fail "message buffers that cannot be mapped: status $status"
  in_space 1000000 --stack_bytes=1000000000
  ((status == 134)) || fail "stacks that cannot be mapped: status $status"
}

# The folder of this process's group for memory, and the file with its limit.
find_group() {
  local name
  if name=$(grep -E '^[0-9]+:([a-z_,]+,)?memory(,|:)' /proc/self/cgroup); then
    group=/sys/fs/cgroup/memory${name#*:*:} limit_file=memory.limit_in_bytes
  elif name=$(grep '^0::' /proc/self/cgroup); then
    group=/sys/fs/cgroup${name#0::} limit_file=memory.max
  else
    return 1
  fi
  group+=/grappa_test_$$
  # In a container the name may be one of the host's.
  mkdir "$group" 2>/dev/null && [[ -w $group/$limit_file ]]
}
remove_group() { [[ ! -d ${group-} ]] || rmdir "$group" 2>/dev/null; }

# in_group MIB FLAG...: a job of three cores in a group that may have so much.
in_group() {
  local mib=$1
  shift
  echo $((mib << 20)) >"$group/$limit_file"
  run_job bash -c "echo \$\$ >$group/cgroup.procs && exec \"\$@\"" bash \
    "$job" -n 3 --shared "$mine" "$@"
  echo "$mib MiB, $*: status $status $(head -n 1 "$scratch/err")"
  comes_true 5 remove_group
  mkdir -p "$group"
}

limit_group() {
  trap 'remove_group; rm -rf "$scratch"' EXIT
  find_group || { remove_group; echo 'skipped: no control group can be made here'; exit 77; }
  local mib
  for mib in 48 96 192; do
    in_group $mib --megabytes=$((mib / 4))
    agrees_or_says 3 'out of memory'
  done
  agrees 3  # 192 MiB, of which the program takes 48
  in_group 192 --megabytes=320 --heap_bytes=1000000000
  ((status == 137)) || fail "three cores that take more than there is ended with status $status"
  agrees_or_says 3 '^grappa: core [0-2] was killed by signal 9 .SIGKILL., out of memory: '
  in_group 192 --megabytes=320
  ((status == 134)) || fail "three cores that ask for more than there is: status $status"
  agrees_or_says 3 'global_alloc of 335544320 bytes: the global heap of '
}

"limit_$kind"
((failures == 0))
