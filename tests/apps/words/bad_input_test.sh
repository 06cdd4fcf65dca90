#!/usr/bin/env bash
# Invalid input of words: on any number of cores, the only output is one line on stderr that names
# the error, and the exit status is 2.
#
#   bad_input_test.sh WORDS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

refused '--input: expected the path of a text file, or a pattern'
refused "$scratch/no: cannot be opened: No such file or directory" --input="$scratch/no"
refused "$scratch/no*: no file has such a name" --input="$scratch/no*"
printf 'one\n%s\n' "$(head -c 1048577 /dev/zero | tr '\0' x)" >"$scratch/long"
refused "$scratch/long:2: a word or sequence of 1048577 bytes" --input="$scratch/long"
refused '--n=0 is out of range; give 1 to 100' --n=0 --input="$scratch/long"
refused '--table' --table=/no/file --input="$scratch/long"

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
