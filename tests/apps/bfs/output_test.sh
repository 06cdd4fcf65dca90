#!/usr/bin/env bash
# What bfs prints for good graphs, and that it says the same on any number of cores.
#
#   output_test.sh BFS JOB
set -uo pipefail
data=$(dirname "$0")/data
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

# What does not depend on time or cores.
facts() {
  sed -E 's/, [0-9.]+ s, /, /; s/, [^,]* TEPS$//' "$scratch/out" |
    grep -E '^(search |graph:|vertices:|edges:|SCALE:|NBFS:|[a-z]*_nedge:)|validated'
}

# The Graph500 block has all its keys, each once and with a number.
succeeds 2 --scale=10 --nbfs=5 --json="$scratch/run.json"
for key in SCALE edgefactor NBFS graph_generation num_mpi_processes construction_time \
  {min,firstquartile,median,thirdquartile,max,mean,stddev}_{time,nedge,TEPS} \
  harmonic_{mean,stddev}_TEPS; do
  (($(grep -cE "^$key: [0-9.e+-]+$" "$scratch/out") == 1)) || fail "$key is not there once"
  [[ $key == *_TEPS || $key == *_time ]] || continue
  grep -qE "\"$key\": [0-9.e+-]+" "$scratch/run.json" || fail "$key is not in the JSON"
done
says '^SCALE: 10$'
says '^NBFS: 5$'
says '^5 searches validated$'
(($(grep -c '"root":' "$scratch/run.json") == 5)) || fail 'the JSON lists not every search'

for cores in 1 2 3 4; do
  succeeds $cores --scale=9 --edgefactor=5 --nbfs=8 --seed=42
  facts >"$scratch/facts.$cores"
  cmp -s "$scratch/facts.1" "$scratch/facts.$cores" ||
    fail "$cores cores differ: $(diff "$scratch/facts.1" "$scratch/facts.$cores")"

  succeeds $cores --graph="$data/bridge.mtx" --root=0
  says '^vertices: 9$'
  says '^edges: 9$'
  says '^search 0: root 0, [0-9.]+ s, 6 vertices, 8 edges, '
  says '^1 search validated$'
  succeeds $cores --graph="$data/bridge.mtx" --root=8 # degree 0 is legal
  says '^search 0: root 8, [0-9.]+ s, 1 vertices, 0 edges, '
  succeeds $cores --graph="$data/bridge.mtx"          # 8 of 9 vertices have a neighbour
  says '^8 searches validated$'
  succeeds $cores --graph="$data/bridge.mtx" --root=3 --nbfs=3
  says '^3 searches validated$'

  printf '0 0\n' >"$scratch/one.el"
  succeeds $cores --graph="$scratch/one.el" --root=0
  says '^search 0: root 0, [0-9.]+ s, 1 vertices, 1 edges, '
  succeeds $cores --scale=1 --edgefactor=1 --root=1
  says '^1 search validated$'
done

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
