#!/usr/bin/env bash
# docs/tuning.md describes each flag of the runtime and of the structures, with the default that it has,
# and none that there is not; and the counters that it names are counted.
#
#   tuning_test.sh ROOT PROGRAM
#       PROGRAM has no flags of its own.
set -euo pipefail
page=$1/docs/tuning.md program=$2

# FLAG DEFAULT, one a line, of what PROGRAM says itself.
of_program() {
  "$program" --help |
    sed -nE 's/^ *--([a-z_]+) .*default ([^)]*)\).*$/\1 \2/p' | sort
}

# The same of the first two columns of the page's tables.
of_page() {
  sed -nE 's/^\| `--([a-z_]+)` \| *([^| ]*) *\|.*$/\1 \2/p' "$page" | sort
}

flags=$(of_program)
(($(wc -l <<<"$flags") > 10)) || { echo "FAILED: --help could not be read"; exit 1; }
diff -u --label "$page" --label "${program##*/} --help" <(of_page) <(of_program) || {
  echo "FAILED: tuning.md and --help name other flags, or other defaults"
  exit 1
}

failures=0
while IFS= read -r counter; do
  grep -rqF --include='*.cpp' "\"$counter\"" "$1/system" "$1/structures" || {
    echo "FAILED: tuning.md speaks of $counter, which nothing counts"
    failures=$((failures + 1))
  }
done < <(grep -oE '`(tasking|message|net|global|steal|structures)\.[a-z_]+`' "$page" |
  tr -d '`' | sort -u)
((failures == 0))
