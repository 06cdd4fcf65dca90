#!/usr/bin/env bash
# Invalid flags of betweenness: on any number of cores, the only output is one line on stderr that
# names the error, and the exit status is 2.
#
#   bad_input_test.sh BETWEENNESS JOB
set -uo pipefail
# shellcheck source=tests/harness/graph_program.sh
source "$(dirname "$0")/../../harness/graph_program.sh"

refused '--sources=0 is out of range' --scale=4 --sources=0
refuses_bad_graphs

# Two ways from vertex 0: 12,000 diamonds in a row, which double the number of paths, and a path.
awk 'BEGIN {
  for (i = 0; i < 12000; ++i) {
    print 3 * i, 3 * i + 1; print 3 * i, 3 * i + 2; print 3 * i + 1, 3 * i + 3; print 3 * i + 2, 3 * i + 3
  }
  print 0, 36001
  for (i = 36001; i < 60001; ++i) print i, i + 1
}' >"$scratch/diamonds.el"
refused 'of a source differ by a factor of more than 2^1400, so double precision does not suffice' \
  --graph="$scratch/diamonds.el"

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
