#!/usr/bin/env bash
# A graph that any number of cores has saved is the same file, and the same graph when any number of
# cores loads it. A bad file ends the job with one line.
#
#   saved_graph_test.sh PROGRAM JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "${BASH_SOURCE[0]%/*}/../../harness/program.sh"

for directed in true false; do
  for cores in 1 2 3 4; do
    succeeds $cores --directed=$directed --save="$scratch/graph.$cores"
    [[ $cores == 1 ]] && cp "$scratch/out" "$scratch/first"
    cmp "$scratch/first" "$scratch/out" || fail "on $cores cores another graph was made"
    cmp "$scratch/graph.1" "$scratch/graph.$cores" || fail "$cores cores save another file"
  done
  for cores in 1 2 3 4; do
    succeeds $cores --load="$scratch/graph.$((5 - cores))"
    cmp "$scratch/first" "$scratch/out" || fail "$cores cores load another graph"
  done
done

refused "$scratch: is a directory, not a graph" --load="$scratch"
refused "$scratch: is a directory; a graph is not written over it" --scale=5 --save="$scratch"
truncate -s -1 "$scratch/graph.1"
refused "$scratch/graph.1: has " --load="$scratch/graph.1"
cp "$scratch/graph.2" "$scratch/damaged"
printf x | dd of="$scratch/damaged" bs=1 seek=5000000 conv=notrunc status=none
refused "is damaged: its checksum is not that of the table" --load="$scratch/damaged"

exit $((failures != 0))
