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

# The code of each test source, without includes, comments, and the contents of strings.
code=$(mktemp -d)
trap 'rm -rf "$code"' EXIT
find "$folder" -name '*_test.cpp' -exec cp --backup=numbered -t "$code" {} +
sed -E -i -s -e '/^ *#include/d' -e 's/"([^"\\]|\\.)*"/""/g' -e 's|//.*||' \
  -e 's/\b(TYPED_)?TEST(_[A-Z]+)?\([^)]*\)//' "$code"/*
sed -E -i -z 's|/\*([^*]\|\*+[^*/])*\*+/||g' "$code"/*

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

# The sources with each word, by number, and those in which an argument list follows the word.
declare -A with_word with_call
while read -r word sources calls; do
  with_word[$word]=${sources//,/ }
  with_call[$word]=${calls//,/ }
done < <(grep -oE '[A-Za-z_][A-Za-z_0-9]* *[(<]?' "$code"/* | awk '
  {
    source = substr($0, 1, index($0, ":") - 1)
    word = substr($0, length(source) + 2)
    if (!(source in numbers)) numbers[source] = ++n
    call = sub(/ *[(<]$/, "", word)
    sub(/ +$/, "", word)
    if (!((word, source) in seen)) words[word] = words[word] "," numbers[source]
    seen[word, source] = 1
    if (call && !((word, source) in called)) calls[word] = calls[word] "," numbers[source]
    if (call) called[word, source] = 1
  }
  END { for (word in words) print word, words[word], calls[word] }')

is_type() { [[ $1 =~ ^[A-Z] ]]; }
# used SOURCES TYPE...: whether one of the sources uses all types.
used() {
  local source type
  for source in $1; do
    for type in "${@:2}"; do [[ " ${with_word[$type]-} " == *" $source "* ]] || continue 2; done
    return 0
  done
  return 1
}

failures=0 names=0
while IFS=$'\t' read -r section type span; do
  types=()
  [[ $type == - ]] || types=("$type")
  call=${span%%(*}
  while [[ $call =~ \<[^\<\>]*\> ]]; do call=${call/"${BASH_REMATCH[0]}"/ }; done
  read -ra words <<<"${call//[^A-Za-z_0-9]/ }"
  ((${#words[@]})) || continue
  last=${words[-1]}
  for name in "${words[@]}"; do
    [[ $name != [0-9]* ]] || continue
    sources=${with_word[$name]-}
    if ! is_type "$name"; then
      [[ $name == "$last" ]] || continue  # an object, as in `graph.save(path)`
      [[ $span != *"("* ]] || sources=${with_call[$name]-}
    fi
    names=$((names + 1))
    used "$sources" "${types[@]}" || {
      echo "FAILED: no test in $folder calls $name of \`$span\` in section '$section' of ${page##*/}"
      failures=$((failures + 1))
    }
    ! is_type "$name" || types+=("$name")
  done
done <<<"$spans"
((names > 0)) || { echo "FAILED: $page has no tables of calls"; failures=1; }
((failures == 0)) && echo "$names names are all in tests"
