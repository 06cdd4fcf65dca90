#!/usr/bin/env bash
# The output of kcore for valid graphs, which must be the same on any number of cores, and in a
# simulated cluster.
#
#   output_test.sh KCORE JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

# Two triangles with a common edge, a self-loop, a repeated edge and the isolated vertex 5.
printf '0 1\n1 2\n2 0\n2 3\n3 1\n1 3\n4 4\n3 4\n6 6\n' >"$scratch/two.el"
for cores in 1 2 3 4; do
  succeeds $cores --scale=9 --seed=42 --trials=2
  says '^graph: Kronecker, scale 9, edge factor 16, seed 42$'
  says '^vertices: 512$'
  says '^seconds: [0-9.e-]+$'
  says '^wrong: 0$'
  grep -E '^(edges|highest core number):' "$scratch/out" >"$scratch/facts.$cores"
  cmp -s "$scratch/facts.1" "$scratch/facts.$cores" ||
    fail "$cores cores differ: $(diff "$scratch/facts.1" "$scratch/facts.$cores")"

  for flags in '' --relabel --layout=ranges; do
    # shellcheck disable=SC2086
    succeeds $cores --graph="$scratch/two.el" $flags
    says '^vertices: 7$'
    says '^edges: 6$'
    says '^highest core number: 2, of 4 vertices$'
  done
  succeeds $cores --generator=grid --rows=30 --columns=40 --noverify
  says '^highest core number: 2, of 1200 vertices$'
  if grep -q '^wrong' "$scratch/out"; then fail 'verified despite --noverify'; fi
done

in_cluster 3x2 --scale=9 --seed=42 --trials=2
grep -E '^(edges|highest core number):' "$scratch/out" | cmp -s - "$scratch/facts.1" ||
  fail "a simulated cluster differs: $(cat "$scratch/out")"

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
