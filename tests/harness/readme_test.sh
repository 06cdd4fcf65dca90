#!/usr/bin/env bash
# The test install.outside_program builds and runs the program shown in README.md and the project shown in
# docs/tutorial.md. A test contains the lines shown in structures/graph/README.md.
#
#   readme_test.sh ROOT
set -euo pipefail
cd "$1"
failures=0

# block LANGUAGE PAGE: prints the first block in LANGUAGE.
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
  echo "FAILED: README.md has $lines lines, expected at most 80: move text to docs/"
  failures=$((failures + 1))
fi

while IFS= read -r line; do
  if ! grep -Fxq -- "$line" <(sed 's/^ *//' tests/structures/graph/graph_test.cpp); then
    echo "FAILED: structures/graph/README.md shows '$line', which graph_test.cpp does not contain"
    failures=$((failures + 1))
  fi
done < <(block cpp structures/graph/README.md | sed 's/^ *//')
((failures == 0))
