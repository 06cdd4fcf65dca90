#!/usr/bin/env bash
# Invalid flags of gups: on any number of cores, the only output is one line on stderr that names
# the error, and the exit status is 2.
#
#   bad_input_test.sh GUPS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

refused '--log_table=0 is out of range; give 1 to 50' --log_table=0
refused '--log_table=51 is out of range; give 1 to 50' --log_table=51
refused '--log_table=-1 is out of range' --log_table=-1
refused '--updates=0 is out of range; give 1 to 4503599627370496' --updates=0
refused '--updates=-5 is out of range' --updates=-5
refused '--updates=4503599627370497 is out of range' --updates=4503599627370497
refused '--mode=fast is unknown; give async, blocking or xor' --mode=fast
refused '--mode= is unknown' --mode=
refused '--mode=\x1b is unknown' --mode=$'\033'

refused 'a table of --log_table=50 needs 8.0 PiB; ' --log_table=50
refused 'a table of --log_table=20 needs 8.0 MiB; ' --heap_bytes=4194304

# The heap may exceed the physical memory; the table must not.
refused 'a table of --log_table=42 needs 32.0 TiB; ' --log_table=42 --heap_bytes=70368744177664
refused '--json=/nowhere/at/all.json cannot be written: No such file or directory' \
  --json=/nowhere/at/all.json
refused '"surplus" is not a flag' surplus
refused 'log_table' --log_table=many
refused 'updates' --updates=1.5

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
