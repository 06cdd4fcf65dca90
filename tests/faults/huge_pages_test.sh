#!/usr/bin/env bash
# Tests that a job works without huge pages.
#
#   huge_pages_test.sh PROGRAM JOB WITHOUT-HUGE-PAGES
set -uo pipefail
# shellcheck source=tests/faults/surroundings.sh
source "${BASH_SOURCE[0]%/*}/surroundings.sh"
without=$3

must 'disabling huge pages' "$without" true
"$without" grep -q '^THP_enabled:[[:space:]]*0$' /proc/self/status ||
  fail "$without does not disable huge pages: $("$without" grep THP /proc/self/status)"
for cores in 1 3; do
  run_job "$without" "$job" -n $cores --shared "$mine" --megabytes=64
  agrees $cores
done
((failures == 0))
