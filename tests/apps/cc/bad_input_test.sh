#!/usr/bin/env bash
# Invalid flags and files of cc: on any number of cores, the only output is one line on stderr that
# names the error, and the exit status is 2. The tests of bfs cover the common flags.
#
#   bad_input_test.sh CC JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

# graph NAME FORMAT [ARGUMENT...]: writes a file with printf and prints its path.
graph() {
  local path=$scratch/$1
  shift
  # shellcheck disable=SC2059
  printf "$@" >"$path"
  printf '%s' "$path"
}

refused '--scale=40 --edgefactor=16 needs' --scale=40
refused '--trials=0 is out of range' --scale=4 --trials=0
refused '--concurrent_roots=0 is out of range' --scale=4 --concurrent_roots=0
refused '--concurrent_roots: 1000000000 is more than the 65536 vertices of the graph' \
  --algorithm=kahan --concurrent_roots=1000000000
refused '--concurrent_roots: 3 is more than the 2 vertices of the graph' \
  --concurrent_roots=3 --graph="$(graph two.el '0 1\n')"
refused '--algorithm=best is unknown; give kahan, tuned or afforest' --scale=4 --algorithm=best
refused '--combining: invalid value "all", expected none, centralized or distributed' \
  --scale=4 --algorithm=kahan --combining=all
refused '--verify=some is unknown; give none, rules or full' --scale=4 --verify=some
refused '--json=/nowhere/at/all.json cannot be written: No such file or directory' \
  --scale=4 --json=/nowhere/at/all.json
refused '--labels=/nowhere/labels.el cannot be written' --scale=4 --labels=/nowhere/labels.el
refused "--labels=$scratch cannot be written: Is a directory" --scale=4 --labels="$scratch"
refused '"surplus" is not a flag' --scale=4 surplus
refused '/nowhere/graph.el: cannot be opened: No such file or directory' --graph=/nowhere/graph.el
refused 'few.mtx:2: the size line declares 3 entries, but the file has 1' \
  --graph="$(graph few.mtx '%%%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n')"

refused 'directed.saved: the graph is directed, but this program works on undirected graphs' \
  --load="$(dirname "$0")/../data/directed.saved"

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
