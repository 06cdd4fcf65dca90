#!/usr/bin/env bash
# docs/reference.md lists every name that headers declare in namespace Grappa outside of detail, and every
# function that the page lists exists. A name that is not listed belongs in detail. Skipped (status 77)
# without Doxygen.
#
#   public_names_test.sh DOXYFILE
set -euo pipefail

type -P doxygen >/dev/null || {
  echo "skipped: doxygen not found (Debian: apt-get install doxygen)"
  exit 77
}
value() { sed -n "s/^$1 *= //p" "$2" | tr -d '"'; }
root=$(value STRIP_FROM_PATH "$1")
page=$root/docs/reference.md
output=$(value OUTPUT_DIRECTORY "$1")_names
xml=$output/xml
rm -rf "$output"
mkdir -p "$output"

# Reads all headers, not only the headers of the reference, because programs include the others indirectly.
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

# members_of FILE...: prints the names of the functions, types and variables in XML files.
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
# Prints the identifiers in code spans of the page.
listed() { grep -oE '`[^`]+`' "$page" | grep -oE '[A-Za-z_][A-Za-z_0-9]*' | sort -u; }
# Prints the functions that the tables of the page show as calls.
called() {
  sed -nE 's/^\| (`.*)/\1/p' "$page" | sed -E 's/([^\]) \| .*/\1/' | grep -oE '`[^`]+`' |
    grep -oE '[A-Za-z_][A-Za-z_0-9]*(<[^`(]*>)?\(' | sed -E 's/[<(].*//' | sort -u
}

names=$(declared)
(($(wc -l <<<"$names") > 100)) || { echo "FAILED: cannot read the names in the headers"; exit 1; }
failures=0
while IFS= read -r name; do
  echo "FAILED: docs/reference.md does not list Grappa::$name: list the name, or move it to" \
    "Grappa::detail"
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
