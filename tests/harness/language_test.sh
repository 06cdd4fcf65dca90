#!/usr/bin/env bash
# The mechanical causes of sentences that have to be read twice (docs/style.md, Language), in comments,
# documents and texts that users see.
#
#   language_test.sh REPOSITORY
#
# Prints file:line and the words for each. It is a help for the eye, not a proof of good language.
set -u -o pipefail
cd "$1" || exit 1

# Sentences that begin with a preposition, subjects that are no nouns, verbs and nouns that are no terms.
begin='(^|[.;:] +|[/#*] +)'
causes=(
  "${begin}(Of [a-z]|By [^dtr])"
  "${begin}(Who|Whoever|Nobody|Somebody|Everybody) "
  '\b([Ww]hoever|[Nn]obody|[Ss]omebody|[Ee]verybody)\b'
  '\b(is|are|was|were|be|been) told\b'
  '\bthere (is|are) not( [^e]|$)'
  '\b(ends|end|ending|ended) the job\b'
  '\b(comes?|came|coming) home\b|\bmakes? way\b|\bas one knows\b|\bwith care\b'
  '\bstillness\b|\bkeeps the books\b|\bfront doors?\b|\bupper floors?\b|\bfloors (above|below)\b'
  '\bthe rooms?\b|\bits room\b|\beach room\b'
)
pattern=$(IFS='|'; echo "${causes[*]}")

# Of sources only comments and texts in quotation marks; this file and the page name the words.
found=$({
  git ls-files '*.hpp' '*.cpp' | xargs grep -nE '//|"' | grep -E '(//|").*' |
    sed -E 's/^([^:]+:[0-9]+:)[^"/]*(\/\/\/?|")/\1\2/'
  git ls-files '*.md' '*.sh' '*.cmake' '*.txt' | grep -vE '^(tests/harness/language_test.sh|docs/style.md)$' |
    xargs grep -nE ''
} | grep -E "$pattern" || true)
[[ -z $found ]] && exit 0
printf '%s\n' "$found"
echo "$(printf '%s\n' "$found" | wc -l) places: see Language in docs/style.md"
exit 1
