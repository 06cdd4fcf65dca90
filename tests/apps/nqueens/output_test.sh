#!/usr/bin/env bash
# The output of nqueens on any number of cores.
#
#   output_test.sh NQUEENS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

# counted SOLUTIONS: the number is printed, and the solutions and tasks of the cores add up.
counted() {
  says "^solutions: $1\$"
  says '^verified$'
  local solutions tasks
  read -r solutions tasks < <(
    awk '/^core / { solutions += $3; tasks += $5 } END { print solutions + 0, tasks + 0 }' \
      "$scratch/out")
  ((solutions == $1)) || fail "the solutions of the cores add up to $solutions of $1"
  says "^tasks: $tasks\$"
}

for cores in 1 2 3 4; do
  succeeds $cores
  says '^queens: 12$'
  says '^task_rows: 4$'
  counted 14200
  says "^cores: $cores\$"
  (($(grep -cE '^core [0-9]+: [0-9]+ solutions, [0-9]+ tasks$' "$scratch/out") == cores)) ||
    fail "not every one of $cores cores has a line"
  says '^seconds: [0-9.]+$'
done

succeeds 2 --n=1
says '^task_rows: 1$' # at most the number of rows
counted 1
succeeds 2 --n=2
counted 0
succeeds 2 --n=14 --task_rows=3
counted 365596
succeeds 2 --n=8 --task_rows=0
says '^tasks: 1$'
counted 92

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
