# Functions for fault tests. A script that sources this file is called with
#
#   PROGRAM JOB ...
#
# JOB, the launcher, starts PROGRAM, which is brief.cpp, as a job. Each run of a test has its own folder for
# temporary files and its own process name, so other jobs and other runs do not interfere.
# shellcheck shell=bash

program=$1
job=$2
# shellcheck source=tests/harness/checks.sh
source "${BASH_SOURCE[0]%/*}/../harness/checks.sh"

mine=$scratch/brief_$$
ln -s "$program" "$mine"
mkdir "$scratch/files"
# start FLAG...: starts a job in the background. The output goes to $scratch/out and $scratch/err.
start() {
  TMPDIR=$scratch/files \
    "$job" "${start_options[@]}" "$mine" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null &
  job_pid=$!
}
start_options=(-n 4 --shared)

# run_job COMMAND...: runs a job. The output goes to $scratch/out and $scratch/err, the status to $status.
run_job() {
  status=0
  "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
}

# Prints the processes of the cores.
cores_alive() { pgrep -f "^$mine" || true; }

# Prints the processes and files that the job left behind.
left() {
  cores_alive
  find "$scratch/files" -mindepth 1
}

# comes_true SECONDS CONDITION...: waits up to SECONDS for the condition; fails if it stays false.
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

# Counts the reports: the lines without the indentation of stack traces.
reports() { grep -cv '^    ' "$scratch/err"; }

# agrees CORES: checks that the last job succeeded and printed nothing on stderr.
agrees() {
  ((status == 0)) || fail "$1 cores exited with status $status: $(cat "$scratch/out" "$scratch/err")"
  grep -qx "$1 cores agree" "$scratch/out" || fail "$1 cores printed: $(cat "$scratch/out")"
  [[ ! -s $scratch/err ]] || fail "$1 cores printed on stderr: $(cat "$scratch/err")"
}

# agrees_or_says CORES PATTERN: checks that the last job succeeded, or printed one report that matches.
agrees_or_says() {
  if ((status == 0)); then
    agrees "$1"
    return
  fi
  (($(reports) == 1)) || fail "status $status, expected one report: $(cat "$scratch/err")"
  head -n 1 "$scratch/err" | grep -Eq -- "$2" ||
    fail "status $status, expected '$2', got: $(cat "$scratch/err")"
}

# alone SCRIPT COMMAND...: runs SCRIPT, which mounts file systems, and COMMAND in a new mount namespace.
alone() {
  # shellcheck disable=SC2016
  unshare --mount bash -c 'eval "$1" && shift && exec "$@"' bash "$@"
}
skip_unless_alone() {
  alone 'mount -t tmpfs none /dev/shm' true 2>/dev/null || {
    echo 'skipped: the test needs root and mount namespaces'
    exit 77
  }
}
