#!/usr/bin/env bash
# Passes if the conformance tests use every call of the reference: each name in code font in the
# first column of PAGE's tables must occur as a word in a source in FOLDER. The names of a call are
# the identifiers before its arguments: Future and get for `Future<T>::get()`.
#
#   complete_test.sh PAGE FOLDER
set -euo pipefail
page=$1 folder=$2

# Prints a line `SECTION<tab>CODE` for each code span in the first column, without table headers.
spans=$(awk '
  /^## / { section = substr($0, 4) }
  !/^\|/ { head = 1 }
  /^\|/ && head { head = 0; next }
  /^\|[-:| ]*$/ { next }
  /^\|/ {
    gsub(/\\\|/, "or")
    split($0, columns, "|")
    count = split(columns[2], pieces, "`")
    for (k = 2; k <= count; k += 2) print section "\t" pieces[k]
  }' "$page")

failures=0 names=0
while IFS=$'\t' read -r section span; do
  code=${span%%(*}
  while [[ $code =~ \<[^\<\>]*\> ]]; do code=${code/"${BASH_REMATCH[0]}"/ }; done
  while [[ $code =~ [A-Za-z_][A-Za-z_0-9]* ]]; do
    name=${BASH_REMATCH[0]}
    code=${code#*"$name"}
    names=$((names + 1))
    grep -Eqw -- "$name" "$folder"/*.cpp || {
      echo "FAILED: no test in $folder uses $name of \`$span\` in section '$section' of ${page##*/}"
      failures=$((failures + 1))
    }
  done
done <<<"$spans"
((names > 0)) || { echo "FAILED: $page has no tables of calls"; failures=1; }
((failures == 0)) && echo "$names names are all in tests"
