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
{
  for v in 0 1 2 3 4; do echo "$v 0"; done
  for v in 5 6 7 8 9; do echo "$v 5"; done
  printf '10 10\n11 11\n'
} | sort >"$scratch/expected"
for cores in 1 2 3 4; do
  for layout in --layout=interleaved --relabel --layout=ranges; do
    succeeds $cores "--graph=$scratch/two.el" "--labels=$scratch/labels.el" $layout
    for line in 'vertices: 12' 'edges: 21' 'communities: 4' 'largest community: 5 vertices'; do says "^$line\$"; done
    sort "$scratch/labels.el" | cmp -s - "$scratch/expected" || fail "wrong labels on $cores cores with $layout"
  done
done

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
