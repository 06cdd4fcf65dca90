# For tests that are shell scripts; to be sourced. Gives them a folder of their own, $scratch, and counts
# what fails, so that one run shows all of it.
# shellcheck shell=bash

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
  printf 'FAILED: %s\n' "$*"
  failures=$((failures + 1))
}

# expect STATUS PATTERN COMMAND...: the status, and a pattern that all output together has to match.
expect() {
  local wanted=$1 pattern=$2 output status=0
  shift 2
  output=$("$@" 2>&1 </dev/null) || status=$?
  ((status == wanted)) || fail "'$*' ended with status $status, not $wanted: $output"
  [[ $output =~ $pattern ]] || fail "'$*' should say '$pattern', but says: $output"
}

# must WHAT COMMAND...: if it fails, nothing that follows makes sense.
must() {
  local what=$1 output
  shift
  output=$("$@" 2>&1) || { echo "FAILED: $what: $output"; exit 1; }
}
