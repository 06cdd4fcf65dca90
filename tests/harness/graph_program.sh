# Functions for tests of programs on undirected graphs that have the flags --trials and --noverify. A script
# that sources this file is called with the arguments of program.sh.
# shellcheck shell=bash

# shellcheck source=tests/harness/program.sh
source "${BASH_SOURCE[0]%/*}/program.sh"

# refuses_bad_graphs: checks that invalid flags, files and graphs are reported in one line.
refuses_bad_graphs() {
  refused '--trials=0 is out of range' --scale=4 --trials=0
  refused '--scale=40 --edgefactor=16 needs' --scale=40
  refused '/nowhere/graph.el: cannot be opened' --graph=/nowhere/graph.el
  refused '"surplus" is not a flag' surplus
  refused 'flag --trials: invalid value "many", expected int64' --trials=many
  refused 'unknown flag --root' --root=0
  refused 'directed.saved: the graph is directed, but this program works on undirected graphs' \
    --load="${BASH_SOURCE[0]%/*}/../apps/data/directed.saved"
}

# agrees_everywhere PATTERN VERDICT: checks that the lines of a search in a generated graph that match PATTERN
# are the same on any number of cores, and in a simulated cluster, and that a line matches VERDICT.
agrees_everywhere() {
  local cores flags=(--scale=9 --seed=42 --trials=2)
  for cores in 1 2 3 4; do
    succeeds $cores "${flags[@]}"
    says '^graph: Kronecker, scale 9, edge factor 16, seed 42$'
    says '^vertices: 512$'
    says '^seconds: [0-9.e-]+$'
    says "$2"
    grep -E "$1" "$scratch/out" >"$scratch/facts.$cores"
    cmp -s "$scratch/facts.1" "$scratch/facts.$cores" ||
      fail "$cores cores differ: $(diff "$scratch/facts.1" "$scratch/facts.$cores")"
    succeeds $cores "${flags[@]}" --noverify
    if grep -qE "$2" "$scratch/out"; then fail 'verified despite --noverify'; fi
  done
  in_cluster 3x2 "${flags[@]}"
  grep -E "$1" "$scratch/out" | cmp -s - "$scratch/facts.1" ||
    fail "a simulated cluster differs: $(cat "$scratch/out")"
}

# says_of_each_layout CORES FLAGS LINE...: checks that the graph of FLAGS has these lines of output, regular
# expressions, with any order and layout of its vertices.
says_of_each_layout() {
  local layout line
  for layout in '' --relabel --layout=ranges; do
    # shellcheck disable=SC2086
    succeeds "$1" $2 $layout
    for line in "${@:3}"; do says "^$line\$"; done
  done
}
