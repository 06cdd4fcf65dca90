#!/usr/bin/env bash
# The program that README.md shows and the project that docs/tutorial.md shows are those that the test
# install.outside_program builds and runs, and the lines that structures/graph/README.md shows stand in a test.
#
#   readme_test.sh ROOT
set -euo pipefail
cd "$1"
failures=0

# block LANGUAGE PAGE: the first block in this language.
block() {
  awk -v fence='```'"$1" '
    shown && $0 == "```" { exit }
    shown { print }
    $0 == fence { shown = 1 }' "$2"
}

# shows LANGUAGE FILE PAGE
shows() {
  if ! diff -u --label "$3" --label "$2" <(block "$1" "$3") "$2"; then
    echo "FAILED: the first $1 block of $3 differs from $2: make them the same"
    failures=$((failures + 1))
  fi
}

shows cpp tests/install/outside/main.cpp README.md
shows cmake tests/install/outside/CMakeLists.txt docs/tutorial.md

lines=$(wc -l <README.md)
if ((lines > 80)); then
  echo "FAILED: README.md has $lines lines: what does not fit on a screen goes to docs/"
  failures=$((failures + 1))
fi

while IFS= read -r line; do
  if ! grep -Fxq -- "$line" <(sed 's/^ *//' tests/structures/graph/graph_test.cpp); then
    echo "FAILED: structures/graph/README.md shows '$line', which no test in graph_test.cpp runs"
    failures=$((failures + 1))
  fi
done < <(block cpp structures/graph/README.md | sed 's/^ *//')
((failures == 0))
