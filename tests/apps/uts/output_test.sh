#!/usr/bin/env bash
# The output of uts, which must be the same for a tree on any number of cores.
#
#   output_test.sh UTS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

# counted NODES LEAVES DEPTH: the numbers are printed, and the nodes and shares of the cores add up.
counted() {
  says "^nodes: $1\$"
  says "^leaves: $2\$"
  says "^depth: $3\$"
  local nodes percent
  read -r nodes percent < <(
    awk '/^core / { nodes += $3; share += $5 } END { printf "%d %.0f\n", nodes, share }' "$scratch/out")
  ((nodes == $1)) || fail "the nodes of the cores add up to $nodes of $1"
  ((percent == 100)) || fail "the shares of the cores add up to $percent %"
}

for cores in 1 2 3 4; do
  succeeds $cores
  says '^tree: T1, geometric, shape fixed, b0 4, gen_mx 10, seed 19$'
  counted 4130071 3305118 10
  says "^cores: $cores\$"
  (($(grep -cE '^core [0-9]+: [0-9]+ nodes, [0-9.]+ %$' "$scratch/out") == cores)) ||
    fail "not every one of $cores cores has a line"
  says '^seconds: [0-9.]+$'
  says '^nodes_per_second: [0-9.]+e\+[0-9]+$'
  says '^nodes_per_second_per_core: [0-9.]+e\+[0-9]+$'
  says '^the counts match the published counts$'
done

succeeds 2 --tree=T2
says '^tree: T2, geometric, shape cyclic, b0 6, gen_mx 16, seed 502$'
counted 4117769 2342762 81
succeeds 2 --tree=T3
says '^tree: T3, binomial, b0 2000, q 0.124875, m 8, seed 42$'
counted 4112897 3599034 1572
succeeds 2 --tree=T4
says '^tree: T4, hybrid, shape linear, b0 6, gen_mx 16, q 0.234375, m 4, seed 1$'
counted 4132453 3108986 134
succeeds 2 --shape=linear --gen_mx=20 --seed=34 # a published tree is recognized by its parameters
says '^tree: T5, geometric, shape linear, b0 4, gen_mx 20, seed 34$'
counted 4147582 2181318 20
says '^the counts match the published counts$'

succeeds 1 --gen_mx=5 --seed=2
counted 1 1 0
succeeds 3 --type=binomial --b0=100 --q=0.12 --m=8 --seed=3 --json="$scratch/run.json"
says '^tree: binomial, b0 100, q 0.12, m 8, seed 3$'
counted 6469 5672 68
says '^no counts are published for this tree$'
for key in '"type": "binomial"' '"q": 0.12' '"m": 8' '"seed": 3' '"nodes": 6469' '"leaves": 5672' \
  '"depth": 68' '"cores": 3' '"seconds": ' '"nodes_per_second": ' '"nodes_per_second_per_core": ' \
  '"validated": false'; do
  grep -qF -- "$key" "$scratch/run.json" || fail "$key is not in the JSON"
done
(($(grep -c '"share": ' "$scratch/run.json") == 3)) || fail 'the JSON lacks the shares of 3 cores'
succeeds 2 --json="$scratch/run.json"
grep -qF '"tree": "T1"' "$scratch/run.json" || fail 'the JSON does not name the tree'
grep -qF '"validated": true' "$scratch/run.json" || fail 'the JSON lacks "validated": true'

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
