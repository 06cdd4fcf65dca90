#!/usr/bin/env bash
# Doxygen generates the reference without a warning, and each header that programs include has a page in the
# reference. Skipped (status 77) without Doxygen.
#
#   reference_test.sh DOXYFILE
set -euo pipefail

type -P doxygen >/dev/null || {
  echo "skipped: doxygen not found (Debian: apt-get install doxygen)"
  exit 77
}
value() { sed -n "s/^$1 *= //p" "$2" | tr -d '"'; }
html=$(value OUTPUT_DIRECTORY "$1")/html
rm -rf "$html"
mkdir -p "${html%/html}"
doxygen "$1" || { echo "FAILED: doxygen reports warnings"; exit 1; }

failures=0 headers=0
while IFS= read -r header; do
  headers=$((headers + 1))
  name=$(basename "$header" .hpp)
  name=${name//_/__}_8hpp.html  # prefixed by a folder if two headers have the same name
  mapfile -t pages < <(find "$html" -name "$name" -o -name "*_2$name")
  ((${#pages[@]})) || {
    echo "FAILED: $header has no page"
    failures=$((failures + 1))
    continue
  }
  # The page of a header contains the first words of the header.
  words=$(sed -n 's/^\/\/\/ //p' "$header" | head -1 | cut -d ' ' -f 1-2)
  sed 's/<[^>]*>//g' "${pages[@]}" | grep -F -- "$words" >/dev/null || {
    echo "FAILED: the page of $header lacks the first words of the header: $words"
    failures=$((failures + 1))
  }
done < <(sed -n '/^INPUT /,/[^\]$/p' "$1" | grep -oE '/[^"]*\.hpp')

root=$(value STRIP_FROM_PATH "$1")
while IFS= read -r header; do
  grep -qF "\"$root/$header\"" "$1" || {
    echo "FAILED: programs include $header, but Doxygen does not read it"
    failures=$((failures + 1))
  }
done < <(sed -n 's/^#include "\(.*\)"$/\1/p' "$root/system/Grappa.hpp"
  cd "$root" && ls structures/*.hpp structures/graph/*.hpp structures/text/{forall_lines,line_writer}.hpp)
((failures == 0)) && echo "$headers headers have a page"
