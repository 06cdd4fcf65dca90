#!/usr/bin/env bash
# WordNet's relations as a graph: synsets are vertices, and each pointer of a synset to another one is
# an edge. Writes a Matrix Market file to stdout, with the synsets of nouns, verbs, adjectives and
# adverbs in the order of their files.
#
#   wordnet.sh [FOLDER] >wordnet.mtx
#
# FOLDER has data.noun, data.verb, data.adj and data.adv, as wndb(5WN) describes them;
# /usr/share/wordnet if left out, where Debian's package wordnet-base has them.
set -euo pipefail
folder=${1:-/usr/share/wordnet}
files=()
for part in noun verb adj adv; do
  files+=("$folder/data.$part")
  if [[ ! -r ${files[-1]} ]]; then
    printf '%s: cannot be read: install wordnet-base, or name the folder that has it\n' \
      "${files[-1]}" >&2
    exit 2
  fi
done

# A synset is a line:
#   offset lex_filenum ss_type w_cnt word lex_id [word lex_id...] p_cnt [symbol offset pos parts...] ...
# with w_cnt in hexadecimal; satellites (s) are in the file of adjectives. Lines of the licence begin
# with spaces.
LC_ALL=C awk '
  function part(letter) { return letter == "s" ? "a" : letter }
  function hexadecimal(digits,  i, value) {
    for (i = 1; i <= length(digits); ++i) {
      value = 16 * value + index("0123456789abcdef", tolower(substr(digits, i, 1))) - 1
    }
    return value
  }
  /^ / { next }
  {
    number[part($3) $1] = ++synsets
    first = 5 + 2 * hexadecimal($4)
    for (i = 0; i < $first + 0; ++i) {
      at = first + 1 + 4 * i
      from[++edges] = synsets
      to[edges] = part($(at + 2)) $(at + 1)
    }
  }
  END {
    print "%%MatrixMarket matrix coordinate pattern general"
    print synsets, synsets, edges
    for (i = 1; i <= edges; ++i) {
      if (!(to[i] in number)) {
        print "no synset " to[i] ", to which another one points" >"/dev/stderr"
        exit 1
      }
      print from[i], number[to[i]]
    }
  }' "${files[@]}"
