#!/usr/bin/env bash
# The output of communities for valid graphs, which must be the same on any number of cores, and in a
# simulated cluster.
#
#   output_test.sh COMMUNITIES JOB
set -uo pipefail
# shellcheck source=tests/harness/graph_program.sh
source "$(dirname "$0")/../../harness/graph_program.sh"

agrees_everywhere '^(edges|iterations|communities|largest community):' '^wrong: 0$'

# Two cliques of five with a common edge, a self-loop, a repeated edge, and the isolated vertices 10 and 11.
for ((v = 0; v < 5; ++v)); do
  for ((w = 0; w < v; ++w)); do printf '%d %d\n%d %d\n' $v $w $((v + 5)) $((w + 5)); done
done >"$scratch/two.el"
printf '4 5\n5 4\n10 10\n11 11\n' >>"$scratch/two.el"
for cores in 1 2 3 4; do
  says_of_each_layout $cores "--graph=$scratch/two.el --labels=$scratch/labels.el" \
    'vertices: 12' 'edges: 21' 'communities: 4' 'largest community: 5 vertices'
  sort "$scratch/labels.el" >"$scratch/labels.$cores"
  cmp -s "$scratch/labels.1" "$scratch/labels.$cores" || fail "other labels on $cores cores"
done

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
