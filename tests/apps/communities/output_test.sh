#!/usr/bin/env bash
# The output of communities for valid graphs, which must be the same on any number of cores, and in a
# simulated cluster.
#
#   output_test.sh COMMUNITIES JOB
set -uo pipefail
# shellcheck source=tests/harness/graph_program.sh
source "$(dirname "$0")/../../harness/graph_program.sh"

agrees_everywhere '^(edges|iterations|communities|largest community):' '^wrong: 0$'

# Two triangles with a common edge and a further neighbour, a self-loop, a repeated edge, and the isolated
# vertices 5 and 6.
printf '0 1\n1 2\n2 0\n2 3\n3 1\n1 3\n4 4\n3 4\n6 6\n' >"$scratch/two.el"
for cores in 1 2 3 4; do
  says_of_each_layout $cores "--graph=$scratch/two.el --labels=$scratch/labels.el" \
    'vertices: 7' 'edges: 6' 'communities: 3' 'largest community: 5 vertices'
  sort "$scratch/labels.el" >"$scratch/labels.$cores"
  cmp -s "$scratch/labels.1" "$scratch/labels.$cores" || fail "other labels on $cores cores"
done

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
