#!/usr/bin/env bash
# The output of gups in each mode on any number of cores.
#
#   output_test.sh GUPS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

for cores in 1 2 3 4; do
  for mode in async blocking xor; do
    succeeds $cores --log_table=12 --updates=20001 --mode=$mode
    says '^table: 2\^12 words$'
    says "^mode: $mode\$"
    if [[ $mode == xor ]]; then says '^updates: 40002$'; else says '^updates: 20001$'; fi
    says "^cores: $cores\$"
    says '^seconds: [0-9.]+$'
    says '^updates_per_second: [0-9.]+e\+[0-9]+$'
    says '^updates_per_second_per_core: [0-9.]+e\+[0-9]+$'
    says '^verified$'
  done
done

succeeds 2
says '^mode: async$'
says '^updates: 4194304$' # four for each word of 2^20

succeeds 3 --log_table=1 --updates=1 --mode=blocking
says '^verified$'

succeeds 2 --log_table=10 --mode=xor --json="$scratch/run.json"
for key in '"log_table": 10' '"mode": "xor"' '"updates": 8192' '"cores": 2' '"seconds": ' \
  '"updates_per_second": ' '"updates_per_second_per_core": ' '"verified": true'; do
  grep -qF -- "$key" "$scratch/run.json" || fail "$key is not in the JSON"
done

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
