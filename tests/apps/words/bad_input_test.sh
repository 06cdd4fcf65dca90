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

seq 20000 | gzip >"$scratch/whole.gz"
head -c 20000 "$scratch/whole.gz" >"$scratch/cut.gz"
refused "$scratch/cut.gz: the gzip data are truncated: the file ends at byte 20000" \
  --input="$scratch/cut.gz"
seq 20000 | zstd -qc | head -c 10000 >"$scratch/cut.zst"
refused "$scratch/cut.zst: the zstd data are truncated: the file ends at byte 10000" \
  --input="$scratch/cut.zst"

# Lines that are longer than the limit.
printf 'one\n%*s\nthree\n' 67108865 x >"$scratch/line"
gzip -1c "$scratch/line" >"$scratch/line.gz"
zstd -qc "$scratch/line" >"$scratch/line.zst"
for file in line line.gz line.zst; do
  refused "$scratch/$file:2: the line is longer than 67108864 bytes" --input="$scratch/$file"
done

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
