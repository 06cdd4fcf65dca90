#!/usr/bin/env bash
# What nqueens does with flags that are wrong: on any number of cores exactly one line on stderr,
# which says so, nothing else there, and exit status 2.
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
refused '"surplus" is no flag' surplus
refused 'flag --n: "eight" is no int64' --n=eight
refused 'unknown flag --queens' --queens=8

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
