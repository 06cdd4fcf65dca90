# Functions for tests that are shell scripts, which source this file. Each script has its own folder,
# $scratch. A failure is printed and counted, and the script continues.
# shellcheck shell=bash

scratch=$(mktemp -d)
# A child that a signal kills between its fork and its exec also runs this trap.
trap '[[ $BASHPID != "$$" ]] || rm -rf "$scratch"' EXIT
failures=0

fail() {
  printf 'FAILED: %s\n' "$*"
  failures=$((failures + 1))
}

# expect STATUS PATTERN COMMAND...: checks the exit status, and that the output as a whole matches PATTERN.
expect() {
  local wanted=$1 pattern=$2 output status=0
  shift 2
  output=$("$@" 2>&1 </dev/null) || status=$?
  ((status == wanted)) || fail "'$*' exited with status $status, expected $wanted: $output"
  [[ $output =~ $pattern ]] || fail "'$*': expected output '$pattern', got: $output"
}

# must WHAT COMMAND...: runs a command, and exits the script if the command fails.
must() {
  local what=$1 output
  shift
  output=$("$@" 2>&1) || { echo "FAILED: $what: $output"; exit 1; }
}
