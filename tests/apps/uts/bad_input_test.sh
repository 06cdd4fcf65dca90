#!/usr/bin/env bash
# What uts does with flags that are wrong: on any number of cores exactly one line on stderr that says
# so, nothing else there, and exit status 2.
#
#   bad_input_test.sh UTS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

refused '--tree=T6 is no published tree; there are T1 T2' --tree=T6
refused '--tree= is no published tree' --tree=
refused '--tree=\x1b is no published tree' --tree=$'\033'
refused '--seed and --tree exclude each other' --tree=T1 --seed=19
refused '--type and --tree exclude each other' --tree=T3 --type=binomial
refused '--type=round is no type of tree; give binomial, geometric or hybrid' --type=round
refused '--shape=round is no shape of a tree; give fixed, linear or cyclic' --shape=round

refused '--shape is not for binomial trees' --type=binomial --shape=fixed
refused '--gen_mx is not for binomial trees' --type=binomial --gen_mx=10
refused '--q is not for geometric trees' --q=0.1
refused '--m is not for geometric trees' --m=8

refused '--b0=0.5 is out of range; give 1 to 100' --b0=0.5
refused '--b0=101 is out of range' --type=hybrid --b0=101
refused '--b0=nan is out of range' --b0=nan
refused '--b0=1.04858e+06 is out of range' --type=binomial --b0=1048577
refused '--gen_mx=0 is out of range' --gen_mx=0
refused '--q=-0.1 is out of range; give 0 to 1' --type=binomial --q=-0.1
refused '--m=0 is out of range; give 1 to 100' --type=binomial --m=0
refused '--m=101 is out of range' --type=hybrid --q=0 --m=101
refused '--seed=-1 is out of range; give 0 to 4294967295' --seed=-1
refused '--seed=4294967296 is out of range' --seed=4294967296

refused '--q times --m is 1 or more: such a tree need not end' --type=binomial --q=0.125 --m=8
refused '--q times --m is 1 or more: such a tree need not end' --type=hybrid --q=1 --m=1
refused 'a tree of these parameters has 1.5012e+15 nodes on average; at most 1e+15' --gen_mx=25

refused 'a tree of these parameters has more than 1e+308 nodes on average; at most 1e+15' \
  --shape=linear --b0=100 --gen_mx=10000
refused '--json=/nowhere/at/all.json cannot be written: No such file or directory' \
  --json=/nowhere/at/all.json
refused '"surplus" is no flag' surplus
refused 'seed' --seed=many
refused 'b0' --b0=many

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
