#!/usr/bin/env bash
# Converts the relations of WordNet to a graph: synsets are vertices, and each pointer from a synset
# to another synset is an edge. Writes a Matrix Market file to stdout. Vertices are the synsets of
# nouns, verbs, adjectives and adverbs, in this order and in the order of each file.
#
#   wordnet.sh [FOLDER] >wordnet.mtx
#
# FOLDER contains data.noun, data.verb, data.adj and data.adv in the format of wndb(5WN). The
# default is /usr/share/wordnet, the location of Debian's package wordnet-base.
set -euo pipefail
folder=${1:-/usr/share/wordnet}
files=()
for part in noun verb adj adv; do
  files+=("$folder/data.$part")
  if [[ ! -r ${files[-1]} ]]; then
    printf '%s: cannot be read: install wordnet-base, or name its folder as the argument\n' \
      "${files[-1]}" >&2
    exit 2
  fi
done

# Each synset is one line:
#   offset lex_filenum ss_type w_cnt word lex_id [word lex_id...] p_cnt [symbol offset pos parts...] ...
# w_cnt is hexadecimal. Satellite adjectives (s) are in the file of adjectives. Lines of the licence
# begin with spaces.
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
        print "pointer to an unknown synset: " to[i] >"/dev/stderr"
        exit 1
      }
      print from[i], number[to[i]]
    }
  }' "${files[@]}"
