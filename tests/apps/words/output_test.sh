#!/usr/bin/env bash
# The output of words on any number of cores, compared with awk.
#
#   output_test.sh WORDS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

# Lines of 0 to 9 words. Small numbers are more frequent.
make_text() {
  awk -v seed="$1" 'BEGIN {
    srand(seed)
    for (line = 0; line < 20000; ++line) {
      text = ""
      for (k = line % 10; k > 0; --k) text = text (k % 3 ? " " : "\t ") "w" int(exp(rand() * 7))
      print text
    }
  }'
}
make_text 1 >"$scratch/a.txt"
make_text 2 >"$scratch/b.txt"
gzip -c "$scratch/b.txt" >"$scratch/c.txt.gz"
zstd -qc "$scratch/b.txt" >"$scratch/d.txt.zst"

# expected N FILE...: the counts of all sequences of N words, in the format of --table, sorted.
expected() {
  local n=$1
  shift
  awk -v n="$n" '{
    for (k = 1; k + n - 1 <= NF; ++k) {
      gram = $k
      for (j = k + 1; j < k + n; ++j) gram = gram " " $j
      ++count[gram]
    }
  } END { for (gram in count) printf "%d\t%s\n", count[gram], gram }' "$@" | LC_ALL=C sort
}

for n in 1 2; do
  expected $n "$scratch/a.txt" "$scratch/b.txt" "$scratch/b.txt" "$scratch/b.txt" >"$scratch/expected"
  for cores in 1 2 3; do
    succeeds $cores --input="$scratch/*.txt*" --n=$n --table="$scratch/table" --top=5
    LC_ALL=C sort "$scratch/table" | cmp -s - "$scratch/expected" ||
      fail "the table of sequences of $n words on $cores cores is wrong"
    head -5 "$scratch/out" | cmp -s - <(
      LC_ALL=C sort -t $'\t' -k1,1nr -k2,2 "$scratch/expected" | head -5
    ) || fail "the most frequent sequences of $n words are wrong"
    says "^words: $(awk '{ sum += $1 } END { print sum }' "$scratch/expected")\$"
    says "^different: $(wc -l <"$scratch/expected")\$"
  done
done

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
