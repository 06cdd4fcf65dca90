#!/usr/bin/env bash
# The names that headers declare in namespace Grappa, outside of detail, are those of docs/reference.md:
# each is listed there, and each call that is listed there exists. What is not listed belongs in detail.
# Skipped (status 77) without Doxygen.
#
#   public_names_test.sh DOXYFILE
set -euo pipefail

type -P doxygen >/dev/null || {
  echo "skipped: doxygen was not found (Debian: apt-get install doxygen)"
  exit 77
}
value() { sed -n "s/^$1 *= //p" "$2" | tr -d '"'; }
root=$(value STRIP_FROM_PATH "$1")
page=$root/docs/reference.md
output=$(value OUTPUT_DIRECTORY "$1")_names
xml=$output/xml
rm -rf "$output"
mkdir -p "$output"

# All headers and not only those of the reference: a program gets what these include, too.
{
  cat "$1"
  echo "OUTPUT_DIRECTORY = \"$output\""
  echo "INPUT = \"$root/system\" \"$root/structures\""
  echo "RECURSIVE = YES"
  echo "FILE_PATTERNS = *.hpp"
  echo "EXCLUDE = \"$root/system/compat\""
  echo "EXCLUDE_SYMBOLS ="
  echo "GENERATE_HTML = NO"
  echo "GENERATE_XML = YES"
  echo "XML_PROGRAMLISTING = NO"
  echo "WARNINGS = NO"
  echo "WARN_AS_ERROR = NO"
} >"$output/Doxyfile"
doxygen "$output/Doxyfile"

# Names of the functions, types and variables of XML files.
members_of() {
  awk '/<memberdef/ { inside = 1 }
    inside && /<name>/ { gsub(/.*<name>|<\/name>.*/, ""); print; inside = 0 }' "$@"
}
declared() {
  local namespace
  for namespace in "$xml"/namespaceGrappa.xml "$xml"/namespaceGrappa_1_1*.xml; do
    [[ $namespace == *_1_1detail* || $namespace == *@* || $namespace == *_0d* ]] && continue
    members_of "$namespace"
    sed -nE 's/.*<inner(class|namespace)[^>]*>Grappa::(.*)<\/inner.*/\2/p' "$namespace" |
      sed -E 's/&lt;.*//; s/.*:://'
  done | grep -vE '^(operator\W.*|detail|GRAPPA_.*|@.*|)$' | sort -u
}
# Identifiers of the page that are set as code.
listed() { grep -oE '`[^`]+`' "$page" | grep -oE '[A-Za-z_][A-Za-z_0-9]*' | sort -u; }
# Those that the tables show being called.
called() {
  sed -nE 's/^\| (`.*)/\1/p' "$page" | sed -E 's/([^\]) \| .*/\1/' | grep -oE '`[^`]+`' |
    grep -oE '[A-Za-z_][A-Za-z_0-9]*(<[^`(]*>)?\(' | sed -E 's/[<(].*//' | sort -u
}

names=$(declared)
(($(wc -l <<<"$names") > 100)) || { echo "FAILED: the names of the headers could not be read"; exit 1; }
failures=0
while IFS= read -r name; do
  echo "FAILED: namespace Grappa has $name, which docs/reference.md does not list: list it, or" \
    "move it to Grappa::detail"
  failures=$((failures + 1))
done < <(comm -23 <(echo "$names") <(listed))

everything=$({
  members_of "$xml"/*.xml
  grep -rhoE '# *define +GRAPPA_[A-Z_]+' --include='*.hpp' "$root/system" "$root/structures" |
    grep -oE 'GRAPPA_.*'
  sed -nE 's/.*<compoundname>(.*)<\/compoundname>.*/\1/p' "$xml"/*.xml | sed -E 's/&lt;.*//; s/.*:://'
} | sort -u)
while IFS= read -r name; do
  echo "FAILED: docs/reference.md lists $name, which no header declares"
  failures=$((failures + 1))
done < <(comm -13 <(echo "$everything") <(called))
((failures == 0)) && echo "$(wc -l <<<"$names") names are listed"
