# Functions for tests of the output of a program under apps/. A script that sources this file is called with
#
#   PROGRAM JOB
#
# JOB starts PROGRAM as a job: JOB -n CORES --shared PROGRAM FLAG...
# shellcheck shell=bash

program=$1
job=$2
# shellcheck source=tests/harness/checks.sh
source "${BASH_SOURCE[0]%/*}/checks.sh"

# run CORES FLAG...: runs the program. The output goes to $scratch/out and $scratch/err, the status to $status.
run() {
  local cores=$1
  shift
  status=0
  "$job" -n "$cores" --shared "$program" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
}

# succeeds CORES FLAG...: checks that the program exits with status 0 and prints nothing on stderr.
succeeds() {
  run "$@"
  ((status == 0)) || fail "'${*:2}' on $1 cores exited with status $status: $(cat "$scratch/err")"
  [[ ! -s $scratch/err ]] || fail "'${*:2}' on $1 cores printed on stderr: $(cat "$scratch/err")"
}

# in_cluster SHAPE FLAG...: like succeeds, in a simulated cluster of this shape, which prints its hash on stderr.
in_cluster() {
  status=0
  "$job" --simulate="$1" "$program" "${@:2}" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  ((status == 0)) || fail "'${*:2}' in a cluster of $1 exited with status $status: $(cat "$scratch/err")"
  if grep -qv '^simulation: hash ' "$scratch/err"; then
    fail "'${*:2}' in a cluster of $1 printed on stderr: $(cat "$scratch/err")"
  fi
}

# says PATTERN: checks that a line of the last run's stdout matches the extended regular expression.
says() { grep -qE -- "$1" "$scratch/out" || fail "no line matches '$1' in: $(cat "$scratch/out")"; }

# refused TEXT FLAG...: checks that the program exits with status 2 and prints one line, which contains TEXT.
refused() {
  local text=$1 cores lines
  shift
  for cores in 1 2 3; do
    run $cores "$@"
    lines=$(wc -l <"$scratch/err")
    ((status == 2)) || fail "'$*' on $cores cores exited with status $status"
    ((lines == 1)) || fail "'$*' on $cores cores printed $lines lines: $(cat "$scratch/err")"
    grep -qF -- "$text" "$scratch/err" ||
      fail "'$*' on $cores cores: expected '$text', got: $(cat "$scratch/err")"
    if LC_ALL=C grep -q '[^ -~]' "$scratch/err"; then
      fail "'$*' on $cores cores printed control characters"
    fi
  done
}
