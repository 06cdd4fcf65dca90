#!/usr/bin/env bash
# The program on 6 cores prints the same result with any division into locales (all through shared
# memory, all through MPI, both), any routing, and any number of buffers.
#
#   same_result_test.sh PROGRAM JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "${BASH_SOURCE[0]%/*}/../harness/program.sh"

succeeds 6
says '^checksum [0-9a-f]{16}$'
cp "$scratch/out" "$scratch/first"

# same FLAG...: expects the same output as in the first run.
same() {
  succeeds 6 "$@"
  cmp -s "$scratch/first" "$scratch/out" ||
    fail "'$*' prints '$(cat "$scratch/out")', not '$(cat "$scratch/first")'"
}

for cores_per_locale in 4 2 1; do  # the first run has one locale
  for routing in direct two_hop three_hop; do
    same --cores_per_locale=$cores_per_locale --routing=$routing
  done
done
starved=(--buffers_per_core=1 --ring_entries=1 --num_workers=4 --buffer_bytes=16384)
same "${starved[@]}"
same "${starved[@]}" --cores_per_locale=4 --routing=two_hop
same "${starved[@]}" --cores_per_locale=2 --routing=three_hop
same --nosteal --cores_per_locale=2 --routing=two_hop

exit $((failures != 0))
