#!/usr/bin/env bash
# Invalid flags of tree_search: on any number of cores, the only output is one line on stderr that
# names the error, and the exit status is 2.
#
#   bad_input_test.sh TREE_SEARCH JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

refused '--vertices=0 is out of range; give 1 to 1099511627776' --vertices=0
refused '--most_children=0 is out of range; give 1 to 1000' --most_children=0
refused '--colours=0 is out of range' --colours=0
refused '--colour=10 is out of range; give 0 to 9' --colour=10
refused '--colour=-1 is out of range' --colour=-1
refused '--levels=-1 is out of range' --levels=-1
refused 'a tree of --vertices=1099511627776 needs 16.0 TiB; ' --vertices=1099511627776
refused 'a tree of --vertices=1000000 needs 15.3 MiB; ' --vertices=1000000 --heap_bytes=4194304
refused '--levels: 1000000000 waiting tasks need 3.7 TiB; ' \
  --vertices=1000000000 --levels=1000 --heap_bytes=70368744177664
refused '"surplus" is not a flag' surplus
refused 'seed' --seed=many

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
