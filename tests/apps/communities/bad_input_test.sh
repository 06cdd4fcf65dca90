#!/usr/bin/env bash
# Invalid flags of communities: on any number of cores, the only output is one line on stderr that
# names the error, and the exit status is 2.
#
#   bad_input_test.sh COMMUNITIES JOB
set -uo pipefail
# shellcheck source=tests/harness/graph_program.sh
source "$(dirname "$0")/../../harness/graph_program.sh"

refuses_bad_graphs
refused '--iterations=0 is out of range' --scale=4 --iterations=0
refused '/nowhere/labels' --scale=4 --labels=/nowhere/labels

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
