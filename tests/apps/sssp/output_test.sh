#!/usr/bin/env bash
# The output of sssp for valid graphs, which must be the same on any number of cores.
#
#   output_test.sh SSSP JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

printf '0 1\n1 2\n2 2\n4 5\n' >"$scratch/parts.el"
printf '0 1 1\n1 2 2\n2 3 3\n0 3 9\n1 0 8\n5 6 1\n' >"$scratch/weighted.wel"
printf '0 0\n1 1\n2 3\n3 6\n' >"$scratch/expected"
for cores in 1 2 3 4; do
  succeeds $cores --scale=9 --seed=42 --root=3
  says '^graph: Kronecker, scale 9, edge factor 16, seed 42$'
  says '^vertices: 512$'
  says '^mean_time: [0-9.e-]+$'
  says '^wrong: 0$'
  grep -E '^(edges|reached):' "$scratch/out" >"$scratch/facts.$cores"
  cmp -s "$scratch/facts.1" "$scratch/facts.$cores" ||
    fail "$cores cores differ: $(diff "$scratch/facts.1" "$scratch/facts.$cores")"

  succeeds $cores --graph="$scratch/parts.el" --root=2 --delta=1
  says '^vertices: 6$'
  says '^edges: 3$'
  says '^reached: 3$'
  succeeds $cores --graph="$scratch/parts.el" --root=3
  says '^reached: 1$'
  succeeds $cores --graph="$scratch/weighted.wel" --distances="$scratch/distances.el"
  cmp -s "$scratch/expected" "$scratch/distances.el" ||
    fail "wrong distances on $cores cores: $(tr '\n' ';' <"$scratch/distances.el")"
  says '^weights: of the file, 1 to 9$'
  says '^reached: 4$'
  succeeds $cores --graph="$scratch/weighted.wel" --random_weights --largest_weight=7
  says '^weights: random, 1 to 7$'
  succeeds $cores --generator=grid --rows=30 --columns=40 --delta=1000 --noverify
  says '^reached: 1200$'
  if grep -q '^wrong' "$scratch/out"; then fail 'verified despite --noverify'; fi

  succeeds $cores --graph500 --scale=8 --nroots=3
  says '^SCALE: 8$'
  says '^NBFS: 3$'
  says '^harmonic_mean_TEPS: [0-9.e+]+$'
  says '^mean_validate: [0-9.e-]+$'
  says '^wrong: 0$'
done

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
