#!/usr/bin/env bash
# The output of pagerank for valid graphs, which must be the same on any number of cores.
#
#   output_test.sh PAGERANK JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

printf '3 0\n3 1\n3 2\n3 4\n0 1\n6 6\n' >"$scratch/hub.el"
for cores in 1 2 3 4; do
  succeeds $cores --scale=9 --seed=42
  says '^graph: Kronecker, scale 9, edge factor 16, seed 42$'
  says '^vertices: 512$'
  says '^seconds: [0-9.e-]+$'
  says '^error: [0-9.e-]+$'
  grep -E '^(edges|iterations|highest rank):' "$scratch/out" >"$scratch/facts.$cores"
  cmp -s "$scratch/facts.1" "$scratch/facts.$cores" ||
    fail "$cores cores differ: $(diff "$scratch/facts.1" "$scratch/facts.$cores")"

  for flags in --tolerance=1e-9 '--relabel --tolerance=1e-9'; do
    # shellcheck disable=SC2086
    succeeds $cores --graph="$scratch/hub.el" $flags
    says '^vertices: 7$'
    says '^edges: 5$'
    says '^highest rank: 0\.[0-9]+, of vertex 3$'
  done
  succeeds $cores --graph="$scratch/hub.el" --iterations=2 --noverify
  says '^iterations: 2$'
  if grep -q '^error' "$scratch/out"; then fail 'verified despite --noverify'; fi

  run $cores --graph="$scratch/hub.el" --iterations=2
  ((status == 1)) || fail "ranks after 2 iterations: status $status on $cores cores"
  grep -qE '^pagerank: the ranks are wrong by 0\.[0-9]+$' "$scratch/err" ||
    fail "ranks after 2 iterations: $(cat "$scratch/err")"
done

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
