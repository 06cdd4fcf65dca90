#!/usr/bin/env bash
# The output of orbits on any number of cores.
#
#   output_test.sh ORBITS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

for cores in 1 2 3; do
  succeeds $cores --points=9 --start=1,2,3
  says '^elements: 504$'
  says '^levels: [0-9]+$'
  says '^seconds: [0-9.]+$'
  says '^elements_per_second: [0-9]+$'
  says '^verified$'
done
succeeds 2 --points=9 --start=1,2,3 --sets
says '^elements: 84$'
succeeds 2 --points=9 --start=2 '--generators=(1,2,3);(7,8)'
says '^elements: 3$'

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
