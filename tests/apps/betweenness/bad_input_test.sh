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

# Two ways from vertex 0: 500 steps, each with 16 ways of two edges, and a path.
awk 'BEGIN {
  for (i = 0; i < 500; ++i) {
    for (k = 1; k <= 16; ++k) { print 17 * i, 17 * i + k; print 17 * i + k, 17 * i + 17 }
  }
  print 0, 8501
  for (i = 8501; i < 10500; ++i) print i, i + 1
}' >"$scratch/steps.el"
refused 'of a source differ by a factor of more than 2^1400, so double precision does not suffice' \
  --graph="$scratch/steps.el"

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
