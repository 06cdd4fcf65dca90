#!/usr/bin/env bash
# A test calls every function of docs/reference.md: each code span in the first column of PAGE's tables names
# functions and types that some FOLDER/**/*_test.cpp uses, outside of comments, texts and names of tests.
# `name(...)` needs a call, `name(` or `name<`. Types, macros and names without arguments need the word. If
# the span names a type, as in `GlobalCompletionEvent::wait()`, or the heading of a container does, the same
# file must use that type too.
#
#   tested_calls_test.sh PAGE FOLDER
set -euo pipefail
export LC_ALL=C
page=$1 folder=$2

# The code of each test source, as a line of a file of its own.
code=$(mktemp -d)
trap 'rm -rf "$code"' EXIT
find "$folder" -name '*_test.cpp' | while read -r source; do
  sed -E -e '/^ *#include/d' -e 's/"([^"\\]|\\.)*"/""/g' -e 's|//.*||' \
    -e 's/\b(TYPED_)?TEST(_[A-Z]+)?\([^)]*\)//' "$source" |
    tr '\n' ' ' | sed -E 's|/\*([^*]\|\*+[^*/])*\*+/||g' >"$code/${source//\//_}"
done

# Prints a line `SECTION<tab>TYPE<tab>SPAN` for each code span in the first column, without table headers.
# TYPE is the heading of a subsection if a span of this subsection names it, or else `-`.
spans=$(awk '
  /^## / { section = substr($0, 4); subsection = 0 }
  /^### / { section = substr($0, 5); subsection = 1 }
  !/^\|/ { head = 1 }
  /^\|/ && head { head = 0; next }
  /^\|[-:| ]*$/ { next }
  /^\|/ {
    gsub(/\\\|/, "or")
    split($0, columns, "|")
    count = split(columns[2], pieces, "`")
    for (k = 2; k <= count; k += 2) {
      sections[++n] = section; spans[n] = pieces[k]
      if (subsection && pieces[k] ~ "^" section "[<:( ]") types[section] = 1
    }
  }
  END {
    for (k = 1; k <= n; ++k) {
      print sections[k] "\t" (sections[k] in types ? sections[k] : "-") "\t" spans[k]
    }
  }' "$page")

is_type() { [[ $1 =~ ^[A-Z] ]]; }
# used PATTERN TYPE...: whether one source matches PATTERN and uses all types.
used() {
  local sources type
  mapfile -t sources < <(grep -lE -- "$1" "$code"/*)
  for type in "${@:2}"; do
    ((${#sources[@]})) || return 1
    mapfile -t sources < <(grep -lw -- "$type" "${sources[@]}")
  done
  ((${#sources[@]}))
}

failures=0 names=0
while IFS=$'\t' read -r section type span; do
  types=()
  [[ $type == - ]] || types=("$type")
  call=${span%%(*}
  while [[ $call =~ \<[^\<\>]*\> ]]; do call=${call/"${BASH_REMATCH[0]}"/ }; done
  words=$(grep -oE '[A-Za-z_][A-Za-z_0-9]*' <<<"$call") || continue
  last=${words##*$'\n'}
  for name in $words; do
    pattern="\\b$name\\b"
    if ! is_type "$name"; then
      [[ $name == "$last" ]] || continue  # an object, as in `graph.save(path)`
      [[ $span != *"("* ]] || pattern="\\b$name *[(<]"
    fi
    names=$((names + 1))
    used "$pattern" "${types[@]}" || {
      echo "FAILED: no test in $folder calls $name of \`$span\` in section '$section' of ${page##*/}"
      failures=$((failures + 1))
    }
    ! is_type "$name" || types+=("$name")
  done
done <<<"$spans"
((names > 0)) || { echo "FAILED: $page has no tables of calls"; failures=1; }
((failures == 0)) && echo "$names names are all in tests"
