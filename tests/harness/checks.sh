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
