#!/usr/bin/env bash
# The output of betweenness for valid graphs, which must be the same on any number of cores, and in a
# simulated cluster.
#
#   output_test.sh BETWEENNESS JOB
set -uo pipefail
# shellcheck source=tests/harness/graph_program.sh
source "$(dirname "$0")/../../harness/graph_program.sh"

agrees_everywhere '^(sources|edges|highest score):' '^error: [0-9.e-]+$'
grep -qx 'sources: 4' "$scratch/facts.1" || fail "other sources: $(cat "$scratch/facts.1")"

# A tree with a repeated edge, and the isolated vertices 6 and 7 with a self-loop. Without vertex 2,
# the parts {0}, {1} and {3, 4, 5} remain, so 2 is between 1 * 1 + 1 * 3 + 1 * 3 = 7 pairs, which
# count in both directions. Likewise 3, without which {0, 1, 2}, {4} and {5} remain.
printf '0 2\n1 2\n2 3\n3 2\n3 4\n3 5\n4 4\n7 7\n' >"$scratch/bridge.el"
for cores in 1 2 3 4; do
  succeeds $cores --generator=grid --rows=30 --columns=40
  says_of_each_layout $cores "--graph=$scratch/bridge.el --sources=100" 'vertices: 8' 'edges: 5' 'sources: 6' \
    'highest score: 14, of vertex [23]'
done

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
