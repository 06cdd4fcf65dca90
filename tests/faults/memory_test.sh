#!/usr/bin/env bash
# Memory limits: a job runs within a limit, or exits with one report that names the limited resource.
#
#   memory_test.sh space PROGRAM JOB       address space (ulimit -v)
#   memory_test.sh group PROGRAM JOB       control group; skipped (status 77) if none can be created
set -uo pipefail
kind=$1
shift
# shellcheck source=tests/faults/surroundings.sh
source "${BASH_SOURCE[0]%/*}/surroundings.sh"

# in_space KIB FLAG...: runs a job of three cores, each of which may map KIB KiB.
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
  agrees 3  # a gigabyte is sufficient
  # A gigabyte is not sufficient for message buffers of 500 MB per core, nor for stacks of 1 GB.
  in_space 1000000 --buffers_per_core=8000
  ((status == 134)) || fail "message buffers that cannot be mapped: status $status"
  in_space 1000000 --stack_bytes=1000000000
  ((status == 134)) || fail "stacks that cannot be mapped: status $status"
}

# Creates a memory control group below the group of this process. Sets `group` to its folder and
# `limit_file` to the file with its limit.
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
  # In a container the name may belong to the host, and then mkdir fails.
  mkdir "$group" 2>/dev/null && [[ -w $group/$limit_file ]]
}
remove_group() { [[ ! -d ${group-} ]] || rmdir "$group" 2>/dev/null; }

# in_group MIB FLAG...: runs a job of three cores in a group that may use MIB MiB.
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
  find_group || { remove_group; echo 'skipped: cannot create a control group'; exit 77; }
  local mib
  for mib in 48 96 192; do
    in_group $mib --megabytes=$((mib / 4))
    agrees_or_says 3 'out of memory'
  done
  agrees 3  # 192 MiB, of which the program uses 48 MiB
  in_group 192 --megabytes=320 --heap_bytes=1000000000
  ((status == 137)) || fail "three cores that use more memory than the limit: status $status"
  agrees_or_says 3 '^grappa: core [0-2] was killed by signal 9 .SIGKILL., out of memory: '
  in_group 192 --megabytes=320
  ((status == 134)) || fail "three cores that allocate more memory than the limit: status $status"
  agrees_or_says 3 'global_alloc of 335544320 bytes: the global heap of '
}

"limit_$kind"
((failures == 0))
