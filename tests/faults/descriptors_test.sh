#!/usr/bin/env bash
# Few file descriptors (ulimit -n): a job runs, or the launcher reports in one line how many descriptors the
# job needs. That number is sufficient. The launcher raises a soft limit.
#
#   descriptors_test.sh PROGRAM JOB
set -uo pipefail
# shellcheck source=tests/faults/surroundings.sh
source "${BASH_SOURCE[0]%/*}/surroundings.sh"

# with_descriptors SOFT HARD CORES
with_descriptors() {
  run_job timeout 60 bash -c "ulimit -Sn $1 && ulimit -Hn $2 && exec \"\$@\"" bash \
    "$job" -n "$3" --shared "$mine" --megabytes=1
}
needed() { sed -nE 's/.* needs ([0-9]+) .*/\1/p' "$scratch/err"; }

for cores in 1 4 8; do
  for limit in 16 20 24 32 40 48 64; do
    with_descriptors $limit $limit $cores
    agrees_or_says $cores '^grappa: .* needs [0-9]+ .*ulimit -n'
    ((status == 0 || status == 2)) || fail "$cores cores, ulimit -n $limit: status $status"
  done
  with_descriptors 16 16 $cores
  enough=$(needed)
  ((enough > 16)) || fail "the launcher requires only $enough descriptors for $cores cores"
  with_descriptors "$enough" "$enough" $cores
  agrees $cores
  with_descriptors 16 "$enough" $cores
  agrees $cores
  echo "$cores cores need $enough descriptors"
done
((failures == 0))
