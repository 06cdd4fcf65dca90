#!/usr/bin/env bash
# Invalid flags of nqueens: on any number of cores, the only output is one line on stderr that names
# the error, and the exit status is 2.
#
#   bad_input_test.sh NQUEENS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

refused '--n=0 is out of range; give 1 to 20' --n=0
refused '--n=21 is out of range; give 1 to 20' --n=21
refused '--n=-8 is out of range' --n=-8
refused '--task_rows=-1 is out of range; give 0 to 20' --task_rows=-1
refused '--task_rows=21 is out of range' --task_rows=21
refused '"surplus" is not a flag' surplus
refused 'flag --n: invalid value "eight", expected int64' --n=eight
refused 'unknown flag --queens' --queens=8

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
