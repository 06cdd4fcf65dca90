#!/usr/bin/env bash
# The saved file of a graph does not depend on the number of cores, and any number of cores loads
# the same graph. A bad file aborts the job with a message of one line.
#
#   saved_graph_test.sh PROGRAM JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "${BASH_SOURCE[0]%/*}/../../harness/program.sh"

for directed in true false; do
  for cores in 1 2 3 4; do
    succeeds $cores --directed=$directed --save="$scratch/graph.$cores"
    [[ $cores == 1 ]] && cp "$scratch/out" "$scratch/first"
    cmp "$scratch/first" "$scratch/out" || fail "on $cores cores the generated graph differs"
    cmp "$scratch/graph.1" "$scratch/graph.$cores" || fail "$cores cores save a different file"
  done
  for cores in 1 2 3 4; do
    succeeds $cores --load="$scratch/graph.$((5 - cores))"
    cmp "$scratch/first" "$scratch/out" || fail "$cores cores load a different graph"
  done
done

refused "$scratch: is a directory, expected a file" --load="$scratch"
refused "$scratch: is a directory, which a file cannot replace" --scale=5 --save="$scratch"
truncate -s -1 "$scratch/graph.1"
refused "$scratch/graph.1: has " --load="$scratch/graph.1"
cp "$scratch/graph.2" "$scratch/damaged"
printf x | dd of="$scratch/damaged" bs=1 seek=5000000 conv=notrunc status=none
refused "is damaged: its checksum does not match the table" --load="$scratch/damaged"

exit $((failures != 0))
