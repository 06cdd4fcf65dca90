#!/usr/bin/env bash
# The output of uts, which must be the same for a tree on any number of cores.
#
#   output_test.sh UTS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

# value KEY: prints the number that the program prints for KEY.
value() { sed -n "s/^$1: //p" "$scratch/out"; }

# counted NODES LEAVES DEPTH: the numbers are printed, and the nodes of the cores add up.
counted() {
  says "^nodes: $1\$"
  says "^leaves: $2\$"
  says "^depth: $3\$"
  local sum
  sum=$(awk "BEGIN { printf \"%.0f\", $(value mean_nodes_of_core) * $(value cores) }")
  ((sum == $1)) || fail "the nodes of the cores add up to $sum of $1"
}

# described PARAMETERS: exactly these lines come before the counts.
described() {
  local lines
  lines=$(sed '/^nodes: /,$d' "$scratch/out" | tr '\n' ',')
  [[ $lines == "$1," ]] || fail "the tree is described by '$lines' instead of '$1,'"
}

for cores in 1 2 3 4; do
  succeeds $cores
  described 'tree: T1,type: geometric,b0: 4,seed: 19,shape: fixed,gen_mx: 10'
  counted 4130071 3305118 10
  says "^cores: $cores\$"
  says '^seconds: [0-9.]+$'
  says '^nodes_per_second: [0-9.]+e\+[0-9]+$'
  says '^nodes_per_second_per_core: [0-9.]+e\+[0-9]+$'
  says '^validated: true$'
done

succeeds 2 --tree=T2
described 'tree: T2,type: geometric,b0: 6,seed: 502,shape: cyclic,gen_mx: 16'
counted 4117769 2342762 81
succeeds 2 --tree=T3
described 'tree: T3,type: binomial,b0: 2000,seed: 42,q: 0.124875,m: 8'
counted 4112897 3599034 1572
succeeds 2 --tree=T4
described 'tree: T4,type: hybrid,b0: 6,seed: 1,shape: linear,gen_mx: 16,q: 0.234375,m: 4'
counted 4132453 3108986 134
succeeds 2 --shape=linear --gen_mx=20 --seed=34 # a published tree is recognized by its parameters
described 'tree: T5,type: geometric,b0: 4,seed: 34,shape: linear,gen_mx: 20'
counted 4147582 2181318 20
says '^validated: true$'

succeeds 1 --gen_mx=5 --seed=2
counted 1 1 0
says '^validated: false$'
succeeds 1 --gen_mx=4 # the other parameters are those of T1
counted 944 744 4
says '^validated: false$'
succeeds 3 --type=binomial --b0=100 --q=0.12 --m=8 --seed=3 --json="$scratch/run.json"
described 'type: binomial,b0: 100,seed: 3,q: 0.12,m: 8'
counted 6469 5672 68
says '^validated: false$'
for key in '"type": "binomial"' '"q": 0.12' '"m": 8' '"seed": 3' '"nodes": 6469' '"leaves": 5672' \
  '"depth": 68' '"cores": 3' '"seconds": ' '"nodes_per_second": ' '"nodes_per_second_per_core": ' \
  '"validated": false'; do
  grep -qF -- "$key" "$scratch/run.json" || fail "$key is not in the JSON"
done
nodes=$(sed '1,/"by_core"/d' "$scratch/run.json" | awk '/"nodes": / { sum += $2 } END { print sum }')
((nodes == 6469)) || fail "the nodes of the cores in the JSON add up to $nodes of 6469"
succeeds 2 --json="$scratch/run.json"
grep -qF '"tree": "T1"' "$scratch/run.json" || fail 'the JSON does not name the tree'
grep -qF '"validated": true' "$scratch/run.json" || fail 'the JSON lacks "validated": true'

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
