#!/usr/bin/env bash
# Invalid flags of uts: on any number of cores, the only output is one line on stderr that names the
# error, and the exit status is 2.
#
#   bad_input_test.sh UTS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

refused '--tree=T6 is unknown; give T1, T2, T3, T4, T5, T1L, T2L or T3L' --tree=T6
refused '--tree=t1 is unknown' --tree=t1
refused '--tree= is unknown' --tree=
refused '--tree=\x1b is unknown' --tree=$'\033'
refused '--seed and --tree exclude each other' --tree=T1 --seed=19
refused '--type and --tree exclude each other' --tree=T3 --type=binomial
refused '--type=round is unknown; give binomial, geometric or hybrid' --type=round
refused '--shape=round is unknown; give fixed, linear or cyclic' --shape=round

refused '--shape does not apply to binomial trees' --type=binomial --shape=fixed
refused '--gen_mx does not apply to binomial trees' --type=binomial --gen_mx=10
refused '--q does not apply to geometric trees' --q=0.1
refused '--m does not apply to geometric trees' --m=8

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

refused '--q times --m is 1 or more: such a tree may be infinite' --type=binomial --q=0.125 --m=8
refused '--q times --m is 1 or more: such a tree may be infinite' --type=hybrid --q=1 --m=1

refused '--json=/nowhere/at/all.json cannot be written: No such file or directory' \
  --json=/nowhere/at/all.json
refused '"surplus" is not a flag' surplus
refused 'seed' --seed=many
refused 'b0' --b0=many

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
