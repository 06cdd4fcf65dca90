# For tests of what a person or a machine does to a job; to be sourced by a script that is called with
#
#   PROGRAM JOB ...
#
# JOB, the launcher, starts PROGRAM, which is brief.cpp, as a job. Its temporary files would lie in a
# folder of the test's own, and its processes have a name of their own, so that other jobs and other
# runs of the test do not matter.
# shellcheck shell=bash

program=$1
job=$2
# shellcheck source=tests/harness/checks.sh
source "${BASH_SOURCE[0]%/*}/../harness/checks.sh"

mine=$scratch/brief_$$
ln -s "$program" "$mine"
mkdir "$scratch/files"
# start FLAG...: a job in the background, whose output is left in $scratch/out and $scratch/err.
start() {
  TMPDIR=$scratch/files \
    "$job" "${start_options[@]}" "$mine" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null &
  job_pid=$!
}
start_options=(-n 4 --shared)

# run_job COMMAND...: the output is left in $scratch/out and $scratch/err, the status in $status.
run_job() {
  status=0
  "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
}

# The processes of the job without the launcher.
cores_alive() { pgrep -f "^$mine" || true; }

# What the job has left: processes and files.
left() {
  cores_alive
  find "$scratch/files" -mindepth 1
}

# comes_true SECONDS CONDITION...: within so many seconds.
comes_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.02
  done
}
nothing_is_left() { [[ -z $(left) ]]; }
job_has_ended() { ! kill -0 "$job_pid" 2>/dev/null; }

# Lines that begin a report: those of its stack are indented.
reports() { grep -cv '^    ' "$scratch/err"; }

# agrees CORES: the last job has ended well, and has said nothing besides its line.
agrees() {
  ((status == 0)) || fail "$1 cores ended with status $status: $(cat "$scratch/out" "$scratch/err")"
  grep -qx "$1 cores agree" "$scratch/out" || fail "$1 cores said: $(cat "$scratch/out")"
  [[ ! -s $scratch/err ]] || fail "$1 cores complain: $(cat "$scratch/err")"
}

# agrees_or_says CORES PATTERN: the last job has ended well, or with one report that matches.
agrees_or_says() {
  if ((status == 0)); then
    agrees "$1"
    return
  fi
  (($(reports) == 1)) || fail "status $status, and not one report: $(cat "$scratch/err")"
  head -n 1 "$scratch/err" | grep -Eq -- "$2" ||
    fail "status $status, and not '$2' but: $(cat "$scratch/err")"
}

# In file systems of its own: alone SCRIPT COMMAND..., where SCRIPT mounts something.
alone() {
  # shellcheck disable=SC2016
  unshare --mount bash -c 'eval "$1" && shift && exec "$@"' bash "$@"
}
skip_unless_alone() {
  alone 'mount -t tmpfs none /dev/shm' true 2>/dev/null || {
    echo 'skipped: that takes root and mount namespaces'
    exit 77
  }
}
