#!/usr/bin/env bash
# The output of tree_search, which must be the same for a tree on any number of cores.
#
#   output_test.sh TREE_SEARCH JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

for cores in 1 2 3 4; do
  succeeds $cores --vertices=20000
  says '^vertices: 20000$'
  says '^colour: 0 of 10$'
  says "^cores: $cores\$"
  says '^tasks: [0-9]+ vertices, seconds: [0-9.]+$'
  says '^nested finish: [0-9]+ vertices, seconds: [0-9.]+$'
  says '^verified$'
  [[ ${found:=$(grep '^tasks: ' "$scratch/out" | cut -d, -f1)} ]]
  says "^$found, "
done

succeeds 2
says '^vertices: 100000$'
says '^verified$'
succeeds 2 --vertices=1000 --most_children=1 --colours=1 --levels=0
says '^tasks: 1000 vertices, '
says '^nested finish: 1000 vertices, '
succeeds 3 --vertices=1 --colours=1
says '^tasks: 1 vertices, '

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
