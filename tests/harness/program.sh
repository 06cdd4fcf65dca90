# For tests of what a program under apps/ prints; to be sourced by a script that is called with
#
#   PROGRAM JOB
#
# JOB starts PROGRAM as a job: JOB -n CORES --shared PROGRAM FLAG...
# shellcheck shell=bash

program=$1
job=$2
# shellcheck source=tests/harness/checks.sh
source "${BASH_SOURCE[0]%/*}/checks.sh"

# run CORES FLAG...: stdout and stderr are left in $scratch/out and $scratch/err, the status in $status.
run() {
  local cores=$1
  shift
  status=0
  "$job" -n "$cores" --shared "$program" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
}

# succeeds CORES FLAG...: status 0 and a silent stderr.
succeeds() {
  run "$@"
  ((status == 0)) || fail "'${*:2}' on $1 cores ended with status $status: $(cat "$scratch/err")"
  [[ ! -s $scratch/err ]] || fail "'${*:2}' on $1 cores says on stderr: $(cat "$scratch/err")"
}

# says PATTERN: a line of the last run's stdout matches the extended regular expression.
says() { grep -qE -- "$1" "$scratch/out" || fail "no line matches '$1' in: $(cat "$scratch/out")"; }

# refused TEXT FLAG...: on any number of cores status 2 and one line on stderr, which contains TEXT.
refused() {
  local text=$1 cores lines
  shift
  for cores in 1 2 3; do
    run $cores "$@"
    lines=$(wc -l <"$scratch/err")
    ((status == 2)) || fail "'$*' on $cores cores ended with status $status"
    ((lines == 1)) || fail "'$*' on $cores cores printed $lines lines: $(cat "$scratch/err")"
    grep -qF -- "$text" "$scratch/err" ||
      fail "'$*' on $cores cores should say '$text', but says: $(cat "$scratch/err")"
    if LC_ALL=C grep -q '[^ -~]' "$scratch/err"; then
      fail "'$*' on $cores cores printed control characters"
    fi
  done
}
