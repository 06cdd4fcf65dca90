#!/usr/bin/env bash
# cc on real graphs: compares the number of components with that of a serial union-find in awk, and
# with the number in this file.
#
#   datasets_test.sh CC JOB debian|wordnet FOLDER
#
# FOLDER contains the script that makes the graph. The status is 77 if a required package is missing.
set -uo pipefail
here=$(dirname "$0")
# shellcheck source=tests/harness/program.sh
source "$here/../../harness/program.sh"

skip() {
  printf 'skipped: %s\n' "$1"
  exit 77
}

case $3 in
  debian)
    command -v xz >/dev/null || skip 'xz is not installed'
    graph=$scratch/debian-depends.el
    xz -dc "$here/data/debian-depends.el.xz" >"$graph" || fail 'xz failed'
    expected='52 19840'
    counted=$(awk -f "$here/components.awk" "$graph")
    ;;
  wordnet)
    [[ -r /usr/share/wordnet/data.noun ]] || skip 'wordnet-base is not installed'
    graph=$scratch/wordnet.mtx
    "$4/wordnet.sh" >"$graph" || fail 'wordnet.sh failed'
    vertices=$(sed -n '2s/ .*//p' "$graph")
    counted=$(awk -v vertices="$vertices" -f "$here/components.awk" "$graph")
    expected=$counted
    # The numbers for WordNet 3.0, the version of the package for many years.
    ((vertices == 117659)) && expected='1377 115426'
    ;;
esac
[[ $counted == "$expected" ]] || fail "awk counts '$counted', expected '$expected'"

for algorithm in afforest tuned kahan; do
  for cores in 1 2 3; do
    succeeds $cores --graph="$graph" --algorithm=$algorithm
    says "^components: ${expected% *}\$"
    says "^components of ${expected#* } vertices: 1\$"
    says '^1 trial verified, also by a serial union-find$'
  done
done

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
