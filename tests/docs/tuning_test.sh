#!/usr/bin/env bash
# docs/tuning.md lists exactly the flags of the runtime and of the structures, with their defaults, and
# mentions only existing counters.
#
#   tuning_test.sh ROOT PROGRAM
#       PROGRAM defines no flags.
set -euo pipefail
page=$1/docs/tuning.md program=$2

# Prints the flags of PROGRAM: FLAG DEFAULT, one per line.
of_program() {
  "$program" --help |
    sed -nE 's/^ *--([a-z_]+) .*default ([^)]*)\).*$/\1 \2/p' | sort
}

# Prints the first two columns of the page's tables in the same format.
of_page() {
  sed -nE 's/^\| `--([a-z_]+)` \| *([^| ]*) *\|.*$/\1 \2/p' "$page" | sort
}

flags=$(of_program)
(($(wc -l <<<"$flags") > 10)) || { echo "FAILED: cannot parse the output of --help"; exit 1; }
diff -u --label "$page" --label "${program##*/} --help" <(of_page) <(of_program) || {
  echo "FAILED: tuning.md and --help list different flags or defaults"
  exit 1
}

failures=0
while IFS= read -r counter; do
  grep -rqF --include='*.cpp' "\"$counter\"" "$1/system" "$1/structures" || {
    echo "FAILED: tuning.md mentions the counter $counter, which does not exist"
    failures=$((failures + 1))
  }
done < <(grep -oE '`(tasking|message|net|global|steal|structures)\.[a-z_]+`' "$page" |
  tr -d '`' | sort -u)
((failures == 0))
