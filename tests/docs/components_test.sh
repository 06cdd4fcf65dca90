#!/usr/bin/env bash
# The picture in the tutorial is the one that its program draws, on any number of cores.
#
#   components_test.sh PROGRAM JOB PICTURE
set -uo pipefail
program=$1 job=$2 picture=$3
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"

for cores in 1 3; do
  "$job" -n $cores --shared "$program" --picture="$scratch/drawn.svg" >/dev/null || fail "no picture on $cores cores"
  cmp -s "$scratch/drawn.svg" "$picture" || fail "the picture differs on $cores cores"
done
((failures == 0)) && echo 'the same picture'
exit $((failures > 0))
