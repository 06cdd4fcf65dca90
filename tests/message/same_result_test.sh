#!/usr/bin/env bash
# The same program on 8 cores prints the same, however they are divided into locales (all through
# shared memory, all through MPI, both), whichever way messages take, and however few buffers there are.
#
#   same_result_test.sh PROGRAM JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "${BASH_SOURCE[0]%/*}/../harness/program.sh"

succeeds 8
says '^checksum [0-9a-f]{16}$'
cp "$scratch/out" "$scratch/first"

# same FLAG...: what the program prints is what it printed first.
same() {
  succeeds 8 "$@"
  cmp -s "$scratch/first" "$scratch/out" ||
    fail "'$*' prints '$(cat "$scratch/out")', not '$(cat "$scratch/first")'"
}

for cores_per_locale in 8 4 2 1 3; do
  for routing in direct two_hop; do
    same --cores_per_locale=$cores_per_locale --routing=$routing
  done
done
starved=(--buffers_per_core=1 --ring_entries=1 --num_workers=4 --buffer_bytes=16384)
same "${starved[@]}"
same "${starved[@]}" --cores_per_locale=4 --routing=two_hop
same --nosteal --cores_per_locale=2 --routing=two_hop

exit $((failures != 0))
