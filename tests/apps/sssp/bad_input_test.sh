#!/usr/bin/env bash
# Invalid flags of sssp: on any number of cores, the only output is one line on stderr that names
# the error, and the exit status is 2.
#
#   bad_input_test.sh SSSP JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

refused '--delta=0 is out of range' --scale=4 --delta=0
refused '--delta=7 is out of range; give 32768 to 4294967296' \
  --scale=4 --largest_weight=2147483648 --delta=7
refused '--largest_weight=2147483649 is out of range; give 1 to 2147483648' \
  --scale=4 --largest_weight=2147483649
refused '--largest_weight=-3 is out of range' --scale=4 --largest_weight=-3
refused '--largest_weight=0 is out of range' --scale=4 --largest_weight=0
refused 'flag --largest_weight: invalid value "nan", expected int64' --largest_weight=nan
refused '--largest_weight is fixed by --graph500' --scale=4 --graph500 --largest_weight=3
refused '--root names one vertex' --scale=4 --root=3 --nroots=2
refused '--root=16 is out of range; give 0 to 15' --scale=4 --root=16
refused '--root=-1 is out of range' --scale=4 --root=-1
# These are rejected before the graph is generated or read.
refused '--root=-1 is out of range' --scale=40 --root=-1
refused '--root=1099511627776 is out of range; give 0 to 1099511627775' \
  --scale=40 --root=1099511627776
refused '--root=-1 is out of range' --graph=/nowhere/graph.el --root=-1
# A path of 40 edges with a mean weight of 2^30.
refused 'a distance exceeds 2^32 - 1 minus the largest weight' \
  --generator=grid --rows=1 --columns=40 --largest_weight=2147483648
printf '0 1\n' >"$scratch/two.el"
refused '--root=2 is out of range; give 0 to 1' --graph="$scratch/two.el" --root=2
printf '0 1 7\n1 2 2147483648\n2 2 0.5\n' >"$scratch/good.wel"
printf '0 1 7\n2 2 -1\n1 2 %s\n0 2 nan\n' 0.5 >"$scratch/half.wel"
printf '0 1 7\n1 2 -30\n' >"$scratch/negative.wel"
printf '0 1 7\n1 2 2147483649\n' >"$scratch/large.wel"
printf '0 1 nan\n' >"$scratch/nan.wel"
printf '0 1 7\n1 2\n' >"$scratch/missing.wel"
{
  printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 7\n'
  printf '2 3 28.999999999999996\n'
} >"$scratch/almost.mtx"
ends='and 2, counted from 0, has the weight'
refused "--graph=$scratch/half.wel: the edge between the vertices 1 $ends 0.5; sssp needs whole numbers" \
  --graph="$scratch/half.wel"
refused "$ends 0.5; sssp needs whole numbers from 1 to 2147483648: scale the weights, or give --random" \
  --graph="$scratch/half.wel"
refused "$ends -30;" --graph="$scratch/negative.wel"
refused "$ends 2147483649;" --graph="$scratch/large.wel"
refused "$ends 28.999999999999996;" --graph="$scratch/almost.mtx"
refused 'has the weight nan;' --graph="$scratch/nan.wel"
refused "$scratch/missing.wel:2: no weight after the two vertex ids" --graph="$scratch/missing.wel"
refused 'has weights, so they are not random: omit --largest_weight, or give --random_weights' \
  --graph="$scratch/good.wel" --largest_weight=3
refused 'has weights, so they are not random: omit --weight_seed' \
  --graph="$scratch/good.wel" --weight_seed=3
refused "has weights, which --save would lose: omit --save, or give --random_weights" \
  --graph="$scratch/good.wel" --save="$scratch/saved"
refused '--delta=7 is out of range; give 32768 to 4294967296' --graph="$scratch/good.wel" --delta=7
refused 'a distance exceeds 2^32 - 1 minus the largest weight' --graph="$scratch/good.wel" --root=2
refused '--distances needs one search from --root: omit --nroots and --graph500' --nroots=2 --distances=d.el
refused '--distances=/nowhere/d.el' --scale=4 --distances=/nowhere/d.el
refused '--relabel is not supported, because random weights depend on the ids: omit it' --scale=4 --relabel
refused '--scale=0 is out of range' --scale=0
refused '--scale=40 --edgefactor=16 needs' --scale=40
refused '--generator=star is unknown' --generator=star
refused '/nowhere/graph.el: cannot be opened' --graph=/nowhere/graph.el
# Two edges, with the ends 1 and 2, and 3 and -1.
{
  printf '\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0'
  printf '\3\0\0\0\0\0\0\0\377\377\377\377\377\377\377\377'
} >"$scratch/negative.graph500"
refused "$scratch/negative.graph500: record 2 at byte 16: vertex id -1 is negative" \
  --graph="$scratch/negative.graph500"
refused '"surplus" is not a flag' surplus
refused 'flag --delta: invalid value "wide", expected int64' --delta=wide
refused 'unknown flag --damping' --damping=0.5

refused 'directed.saved: the graph is directed, but this program works on undirected graphs' \
  --load="$(dirname "$0")/../data/directed.saved"

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
