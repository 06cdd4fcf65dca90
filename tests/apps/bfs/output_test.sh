#!/usr/bin/env bash
# The output of bfs for valid graphs, which must be the same on any number of cores.
#
#   output_test.sh BFS JOB
set -uo pipefail
data=$(dirname "$0")/data
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

# Prints the lines of the output that do not depend on time or on the number of cores.
facts() {
  sed -E 's/, [0-9.]+ s, /, /; s/, [^,]* TEPS$//' "$scratch/out" |
    grep -E '^(search |graph:|vertices:|edges:|SCALE:|NBFS:|[a-z]*_nedge:)|validated'
}

# The Graph500 output has each key once, with a number.
succeeds 2 --scale=10 --nbfs=5 --json="$scratch/run.json"
for key in SCALE edgefactor NBFS graph_generation num_mpi_processes construction_time \
  {min,firstquartile,median,thirdquartile,max,mean,stddev}_{time,nedge,TEPS} \
  harmonic_{mean,stddev}_TEPS; do
  (($(grep -cE "^$key: [0-9.e+-]+$" "$scratch/out") == 1)) || fail "$key does not appear exactly once"
  [[ $key == *_TEPS || $key == *_time ]] || continue
  grep -qE "\"$key\": [0-9.e+-]+" "$scratch/run.json" || fail "$key is not in the JSON"
done
says '^SCALE: 10$'
says '^NBFS: 5$'
says '^5 searches validated$'
(($(grep -c '"root":' "$scratch/run.json") == 5)) || fail 'the JSON does not list every search'

# The default of --alpha is 25 for at least 256 * cores^2 vertices, 1,024 on two cores and 2,304 on three.
check_alpha() {
  succeeds "$2" --scale=10 --nbfs=1 --json="$scratch/run.json" "${@:3}"
  grep -qE "\"alpha\": $1(\.0)?,$" "$scratch/run.json" || fail "--alpha is not $1 on $2 cores"
}
check_alpha 25 2
check_alpha 60 3
check_alpha 7 2 --alpha=7
check_alpha 60 2 --algorithm=direction

grid_levels='0:2 1:1 2:2 3:3 4:1 5:0 6:1 7:2 8:2 9:1 10:2 11:3 '
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
  succeeds $cores --graph="$data/bridge.mtx" --root=8 # a root without neighbours is valid
  says '^search 0: root 8, [0-9.]+ s, 1 vertices, 0 edges, 1 levels, '
  succeeds $cores --graph="$data/bridge.mtx"          # 8 of 9 vertices have a neighbour
  says '^8 searches validated$'
  succeeds $cores --graph="$data/bridge.mtx" --root=3 --nbfs=3
  says '^3 searches validated$'

  # All algorithms find the same levels, also with internally renumbered vertices.
  for flags in --algorithm=tuned --algorithm=direction --algorithm=queue \
    '--algorithm=queue --combining=none' --relabel --verify=sampled --verify=none; do
    # shellcheck disable=SC2086
    succeeds $cores --generator=grid --rows=3 --columns=4 --root=5 $flags \
      --levels="$scratch/levels.tsv" --parents="$scratch/parents.el"
    [[ $(tr '\t\n' ': ' <"$scratch/levels.tsv") == "$grid_levels" ]] ||
      fail "'$flags' on $cores cores: $(tr '\t\n' ': ' <"$scratch/levels.tsv")"
    says '^search 0: root 5, .*, 4 levels, '
    (($(wc -l <"$scratch/parents.el") == 12)) || fail "'$flags' on $cores cores: not 12 parents"
    grep -qx '5 5' "$scratch/parents.el" || fail "'$flags': the root is not its own parent"
    grep -qxE '0 (1|4)' "$scratch/parents.el" || fail "'$flags': the corner has a wrong parent"
  done
  succeeds $cores --graph="$data/bridge.mtx" --root=0 --levels="$scratch/levels.tsv"
  (($(wc -l <"$scratch/levels.tsv") == 6)) || fail 'levels of vertices that were not reached'
  # A saved graph equals the original graph.
  succeeds $cores --graph="$data/bridge.mtx" --root=0 --save="$scratch/bridge.csr"
  cp "$scratch/bridge.csr" "$scratch/bridge.$cores"
  cmp -s "$scratch/bridge.1" "$scratch/bridge.csr" || fail "$cores cores save a different file"
  succeeds $cores --load="$scratch/bridge.1" --root=0
  says '^vertices: 9$'
  says '^search 0: root 0, [0-9.]+ s, 6 vertices, [0-9]+ edges, '
  says '^1 search validated$'
  # The suffix of --save selects a format of other programs.
  for name in bridge.sg bridge.graph bridge.mtx; do
    succeeds $cores --graph="$data/bridge.mtx" --root=0 --save="$scratch/$name"
    succeeds $cores --graph="$scratch/$name" --root=0
    says '^vertices: 9$'
    says '^search 0: root 0, [0-9.]+ s, 6 vertices, [0-9]+ edges, '
    says '^1 search validated$'
  done
  for name in bridge.sg bridge.graph; do
    [[ -e $scratch/first.$name ]] || cp "$scratch/$name" "$scratch/first.$name"
    cmp -s "$scratch/first.$name" "$scratch/$name" || fail "$cores cores save a different $name"
  done
  gzip -c "$scratch/bridge.graph" >"$scratch/bridge.graph.gz"
  succeeds $cores --graph="$scratch/bridge.graph.gz" --root=0
  says '^search 0: root 0, [0-9.]+ s, 6 vertices, [0-9]+ edges, '
  succeeds $cores --scale=8 --nbfs=3 --verify=none
  says '^3 searches, not validated$'
  succeeds $cores --scale=8 --nbfs=3 --verify=sampled --generator=uniform
  says '^3 searches validated by sampling$'

  printf '0 0\n' >"$scratch/one.el"
  succeeds $cores --graph="$scratch/one.el" --root=0
  says '^search 0: root 0, [0-9.]+ s, 1 vertices, 1 edges, '
  succeeds $cores --scale=1 --edgefactor=1 --root=1
  says '^1 search validated$'
done

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
