#!/usr/bin/env bash
# Invalid input of words: on any number of cores, the only output is one line on stderr that names
# the error, and the exit status is 2.
#
#   bad_input_test.sh WORDS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"
# shellcheck source=tests/apps/words/raw_zstd.sh
source "$(dirname "$0")/raw_zstd.sh"

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
seq 20000 >"$scratch/numbers"
raw_zstd "$scratch/numbers" | head -c 100000 >"$scratch/cut.zst"
refused "$scratch/cut.zst: the zstd data are truncated: the file ends at byte 100000" \
  --input="$scratch/cut.zst"

# Lines that are longer than the limit. The Zstandard frame repeats a letter, 128 KiB in each block.
printf 'one\n%*s\nthree\n' 67108865 x >"$scratch/line"
gzip -1c "$scratch/line" >"$scratch/line.gz"
printf 'one\n' >"$scratch/one"
{
  raw_zstd "$scratch/one" | head -c -3  # without the last block
  for ((k = 0; k < 513; ++k)); do printf '\x02\x00\x10x'; done
  printf '\x01\x00\x00'
} >"$scratch/line.zst"
for file in line line.gz line.zst; do
  refused "$scratch/$file:2: the line is longer than 67108864 bytes" --input="$scratch/$file"
done

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
