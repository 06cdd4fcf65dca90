#!/usr/bin/env bash
# The output of cc for valid graphs, which must be the same on any number of cores.
#
#   output_test.sh CC JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

banner='%%MatrixMarket matrix coordinate pattern general'

# Each algorithm, with different flags.
algorithms=(--algorithm=afforest --algorithm=tuned --algorithm=kahan
  '--algorithm=kahan --combining=none' '--algorithm=kahan --concurrent_roots=1'
  '--algorithm=tuned --concurrent_roots=10' --relabel --verify=rules --verify=none)

# Each statistic is printed once, with a number, and is also in the JSON.
succeeds 2 --scale=10 --trials=3 --algorithm=kahan --json="$scratch/run.json"
for key in graph_generation num_mpi_processes construction_time \
  {min,firstquartile,median,thirdquartile,max,mean,stddev}_{time,MTEPS,validate} \
  harmonic_{mean,stddev}_MTEPS; do
  (($(grep -cE "^$key: [0-9.e+-]+$" "$scratch/out") == 1)) || fail "$key does not appear exactly once"
  grep -qE "\"$key\": [0-9.e+-]+" "$scratch/run.json" || fail "$key is not in the JSON"
done
says '^trial 2: [0-9.]+ s, [0-9]+ components, [0-9.]+ million edges/s, [0-9]+ set inserts, [0-9]+ duplicates'
says '^3 trials verified, also by a serial union-find$'
for key in set_inserts duplicates_merged duplicates_known duplicates_removed reduced_edges rounds; do
  (($(grep -cE "\"$key\": [0-9]+" "$scratch/run.json") == 3)) || fail "$key is not in each trial"
done
grep -q '"verified": true' "$scratch/run.json" || fail 'the JSON lacks "verified": true'

printf '1 3\n3 1\n5 5\n8 9\n9 4\n' >"$scratch/some.el"
some_labels='0:0 1:1 2:2 3:1 4:4 5:5 6:6 7:7 8:4 9:4 '
{ echo "$banner" && echo '1000 1000 0'; } >"$scratch/isolated.mtx"
printf '0 0\n' >"$scratch/one.el"
for cores in 1 2 3; do
  for flags in "${algorithms[@]}"; do
    # shellcheck disable=SC2086
    succeeds $cores --graph="$scratch/some.el" $flags --labels="$scratch/labels.tsv"
    says '^components: 7$'
    says '^components of 3 vertices: 1$'
    says '^components of 2 vertices: 1$'
    says '^components of 1 vertex: 5$'
    [[ $(tr '\t\n' ': ' <"$scratch/labels.tsv") == "$some_labels" ]] ||
      fail "'$flags' on $cores cores: labels $(tr '\t\n' ': ' <"$scratch/labels.tsv")"
    # shellcheck disable=SC2086
    succeeds $cores --scale=8 --seed=7 $flags --labels="$scratch/labels.el"
    [[ -e $scratch/kronecker.el ]] || cp "$scratch/labels.el" "$scratch/kronecker.el"
    cmp -s "$scratch/kronecker.el" "$scratch/labels.el" ||
      fail "'$flags' on $cores cores: different labels of a Kronecker graph"
  done
  succeeds $cores --graph="$scratch/some.el" --save="$scratch/some.csr"
  succeeds $cores --load="$scratch/some.csr" --verify=rules
  says '^components: 7$'
  says '^1 trial verified by the rules$'
  succeeds $cores --graph="$scratch/some.el" --verify=none
  says '^1 trial, not verified$'
  succeeds $cores --graph="$scratch/isolated.mtx"
  says '^components: 1000$'
  says '^components of 1 vertex: 1000$'
  succeeds $cores --graph="$scratch/one.el"
  says '^components: 1$'
done

# A long path is one component; the same number of isolated vertices are separate components.
{ echo "$banner" && echo '1000000 1000000 0'; } >"$scratch/isolated.mtx"
for algorithm in afforest tuned kahan; do
  succeeds 2 --generator=grid --rows=1 --columns=1000000 --algorithm=$algorithm
  says '^components: 1$'
  says '^components of 1000000 vertices: 1$'
  succeeds 2 --graph="$scratch/isolated.mtx" --algorithm=$algorithm
  says '^components: 1000000$'
done

# Only the largest and the smallest sizes are printed.
for ((size = 2, v = 0; size <= 14; ++size, v += size)); do
  for ((i = 1; i < size; ++i)); do echo "$v $((v + i))"; done
done >"$scratch/sizes.el"
succeeds 2 --graph="$scratch/sizes.el"
(($(grep -c '^components of ' "$scratch/out") == 10)) || fail "not 10 sizes: $(cat "$scratch/out")"
says '^components of 14 vertices: 1$'
says '^\.\.\.$'
says '^components of 2 vertices: 1$'

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
