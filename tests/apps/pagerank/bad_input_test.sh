#!/usr/bin/env bash
# Invalid flags of pagerank: on any number of cores, the only output is one line on stderr that
# names the error, and the exit status is 2.
#
#   bad_input_test.sh PAGERANK JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

refused '--damping=1.5 is out of range; give 0 to 1' --scale=4 --damping=1.5
refused '--damping=-0.1 is out of range' --scale=4 --damping=-0.1
refused '--damping=nan is out of range' --scale=4 --damping=nan
refused '--tolerance=-1 is out of range' --scale=4 --tolerance=-1
refused '--iterations=0 is out of range' --scale=4 --iterations=0
refused '--trials=0 is out of range' --scale=4 --trials=0
refused '--method=sor is unknown' --scale=4 --method=sor
refused '--scale=0 is out of range' --scale=0
refused '--scale=40 --edgefactor=16 needs' --scale=40
refused '--generator=star is unknown' --generator=star
refused '/nowhere/graph.el: cannot be opened' --graph=/nowhere/graph.el
refused '"surplus" is not a flag' surplus
refused 'flag --damping: invalid value "much", expected double' --damping=much
refused 'unknown flag --root' --root=0

refused 'directed.saved: the graph is directed, but this program works on undirected graphs' \
  --load="$(dirname "$0")/../data/directed.saved"

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
