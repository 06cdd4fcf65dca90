#!/usr/bin/env bash
# The output of betweenness for valid graphs, which must be the same on any number of cores, and in
# a simulated cluster.
#
#   output_test.sh BETWEENNESS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

# A tree with a repeated edge, and the isolated vertices 6 and 7 with a self-loop. Without vertex 2,
# the parts {0}, {1} and {3, 4, 5} remain, so 2 is between 1 * 1 + 1 * 3 + 1 * 3 = 7 pairs, which
# count in both directions. Likewise 3, without which {0, 1, 2}, {4} and {5} remain.
printf '0 2\n1 2\n2 3\n3 2\n3 4\n3 5\n4 4\n7 7\n' >"$scratch/bridge.el"
for cores in 1 2 3 4; do
  succeeds $cores --scale=9 --seed=42 --trials=2
  says '^graph: Kronecker, scale 9, edge factor 16, seed 42$'
  says '^vertices: 512$'
  says '^sources: 4$'
  says '^seconds: [0-9.e-]+$'
  says '^error: [0-9.e-]+$'
  grep -E '^(edges|highest score):' "$scratch/out" >"$scratch/facts.$cores"
  cmp -s "$scratch/facts.1" "$scratch/facts.$cores" ||
    fail "$cores cores differ: $(diff "$scratch/facts.1" "$scratch/facts.$cores")"

  for flags in '' --relabel --layout=ranges; do
    # shellcheck disable=SC2086
    succeeds $cores --graph="$scratch/bridge.el" --sources=100 $flags
    says '^vertices: 8$'
    says '^edges: 5$'
    says '^sources: 6$'
    says '^highest score: 14, of vertex [23]$'
  done
  succeeds $cores --generator=grid --rows=30 --columns=40 --noverify
  if grep -q '^error' "$scratch/out"; then fail 'verified despite --noverify'; fi
done

in_cluster 3x2 --scale=9 --seed=42 --trials=2
grep -E '^(edges|highest score):' "$scratch/out" | cmp -s - "$scratch/facts.1" ||
  fail "a simulated cluster differs: $(cat "$scratch/out")"

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
