#!/usr/bin/env bash
# Each source of the library has a test of its name, or a test includes its header, or tested_by.txt names a test
# that reaches it. tested_by.txt lists no other source, and only tests that exist.
#
#   tested_test.sh REPOSITORY
set -u -o pipefail
cd "$1" || exit 1
list=tests/harness/tested_by.txt
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

mapfile -t tests < <(find tests -name '*.cpp' -o -name '*.hpp')
own=$(printf '%s\n' "${tests[@]}" | sed -n 's|.*/\(.*\)_test\.cpp$|\1|p')
included=$(grep -hoE '#include "(system|structures)/[^"]+' "${tests[@]}" | sed 's/.*"//; s/\.hpp$//' | sort -u)
# compat has tests of whole programs; options.hpp and Grappa.hpp contain no code.
mapfile -t sources < <(find system structures -name compat -prune -o -name '*.[ch]pp' -print |
  grep -v '/options\.hpp$\|/Grappa\.hpp$' | sed 's/\.[ch]pp$//' | sort -u)
((${#sources[@]} > 100)) || fail "found only ${#sources[@]} sources"
for source in "${sources[@]}"; do
  if grep -qxF "${source##*/}" <<<"$own" || grep -qxF "$source" <<<"$included"; then
    ! grep -q "^$source " $list || fail "$source has a test: remove its line from $list"
  else
    grep -q "^$source " $list || fail "$source: no test of its name; add one, or name a test that reaches it in $list"
  fi
done
while read -r source test; do
  [[ -f $test ]] || fail "$list: $test does not exist"
  [[ -f $source.hpp || -f $source.cpp ]] || fail "$list: $source does not exist"
done < <(grep -v '^#' $list)
((failures == 0)) && echo "${#sources[@]} sources are tested"
