#!/usr/bin/env bash
# Invalid flags of kcore: on any number of cores, the only output is one line on stderr that
# names the error, and the exit status is 2.
#
#   bad_input_test.sh KCORE JOB
set -uo pipefail
# shellcheck source=tests/harness/graph_program.sh
source "$(dirname "$0")/../../harness/graph_program.sh"

refuses_bad_graphs

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
