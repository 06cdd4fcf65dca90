#!/usr/bin/env bash
# Invalid flags of kcore: on any number of cores, the only output is one line on stderr that
# names the error, and the exit status is 2.
#
#   bad_input_test.sh KCORE JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

refused '--trials=0 is out of range' --scale=4 --trials=0
refused '--scale=40 --edgefactor=16 needs' --scale=40
refused '/nowhere/graph.el: cannot be opened' --graph=/nowhere/graph.el
refused '"surplus" is not a flag' surplus
refused 'flag --trials: invalid value "many", expected int64' --trials=many
refused 'unknown flag --root' --root=0

refused 'directed.saved: the graph is directed, but this program works on undirected graphs' \
  --load="$(dirname "$0")/../data/directed.saved"

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
