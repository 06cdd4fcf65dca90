#!/usr/bin/env bash
# The baselines generate the edges of the programs in apps/ with the same flags: cc and raw_cc_job have the same
# numbers of generated edges, of different edges, and of components.
#
#   raw_edges_test.sh CC JOB RAW_CC_JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../harness/program.sh"
raw=$3

# value KEY FILE: the number behind KEY in output or JSON.
value() { sed -nE "s/^ *\"?$1\"?: ([0-9]+),?$/\1/p" "$2" | head -n 1; }

# same FLAG...: checks one graph. A saved and loaded graph contains each edge once. The lists of the baseline have
# 8 bytes for each vertex and one more, and 4 bytes for each of the two entries of an edge.
same() {
  local vertices components entries
  succeeds 2 "$@" --verify=none --save="$scratch/saved" --json="$scratch/run.json"
  vertices=$(value vertices "$scratch/run.json")
  components=$(value components "$scratch/run.json")
  succeeds 2 --load="$scratch/saved" --verify=none --json="$scratch/loaded.json"
  entries=$((2 * $(value edges "$scratch/loaded.json")))
  "$raw" "$@" --threads=2 --trials=1 --builds=1 >"$scratch/raw" 2>&1 || fail "raw $*: $(cat "$scratch/raw")"
  [[ $components && $(value components "$scratch/raw") == "$components" ]] ||
    fail "$*: cc found $components components, but: $(cat "$scratch/raw")"
  (($(value csr_bytes "$scratch/raw") == 8 * (vertices + 1) + 4 * entries)) ||
    fail "$*: cc built lists of $vertices vertices with $entries entries, but: $(cat "$scratch/raw")"
}

for generator in kronecker uniform web; do
  same --generator=$generator --scale=12 --edgefactor=4 --seed=3
done
same --generator=grid --rows=30 --columns=70
same --generator=road --rows=100 --columns=70 --kept=0.8 --seed=3
same --generator=road --scale=13

expect 2 'generator=star is unknown; give kronecker, uniform, grid, road or web' "$raw" --generator=star
expect 2 'scale=31 is out of range; give 1 to 30' "$raw" --scale=31
expect 2 'has more than 2\^30 vertices' "$raw" --generator=road --rows=1000000 --columns=1000000

((failures == 0)) && echo 'the same edges'
exit $((failures > 0))
