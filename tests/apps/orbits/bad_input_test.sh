#!/usr/bin/env bash
# Invalid flags of orbits: on any number of cores, the only output is one line on stderr that names
# the error, and the exit status is 2.
#
#   bad_input_test.sh ORBITS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

refused '--points=0 is out of range; give 1 to 255' --points=0
refused '--points=256 is out of range; give 1 to 255' --points=256
refused '--generators: point 2 occurs twice' '--generators=(2,2)'
refused '--start: "21" does not begin with a point, expected 1 to 20' --start=21
refused '"surplus" is not a flag' surplus

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
