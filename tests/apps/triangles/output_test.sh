#!/usr/bin/env bash
# The output of triangles for valid graphs, which must be the same on any number of cores, and in a
# simulated cluster.
#
#   output_test.sh TRIANGLES JOB
set -uo pipefail
# shellcheck source=tests/harness/graph_program.sh
source "$(dirname "$0")/../../harness/graph_program.sh"

agrees_everywhere '^(edges|triangles):' '^wrong: 0$'

# Two triangles with a common edge, a self-loop, a repeated edge and the isolated vertex 5.
printf '0 1\n1 2\n2 0\n2 3\n3 1\n1 3\n4 4\n3 4\n6 6\n' >"$scratch/two.el"
for cores in 1 2 3 4; do
  says_of_each_layout $cores "--graph=$scratch/two.el" 'vertices: 7' 'edges: 6' 'triangles: 2'
  succeeds $cores --generator=grid --rows=30 --columns=40
  says '^triangles: 0$'
done

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
