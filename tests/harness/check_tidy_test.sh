#!/usr/bin/env bash
# Tests that tidy_test.sh fails for a violation in a source, a violation in a header, a compile error, and two
# sources that define the same name, which two programs may do.
#
#   check_tidy_test.sh ROOT
set -euo pipefail
here=$1/tests/harness
# shellcheck source=tests/harness/checks.sh
source "$here/checks.sh"
tidy() { "$here/tidy_test.sh" "$scratch" system -- -std=c++17; }

mkdir -p "$scratch/system/detail"
cp "$1/.clang-tidy" "$scratch"
source_of() { printf '#include "system/read.hpp"\n%s\nint %s() { return read(%s); }\n' "$1" "$2" "${3-kMine}"; }
printf '#pragma once\ninline int read(int mine) { return mine; }\n' >"$scratch/system/read.hpp"
source_of 'namespace { constexpr int kMine = 1; }' first >"$scratch/system/first.cpp"
source_of 'namespace { constexpr int kOther = 2; }' second kOther >"$scratch/system/detail/second.cpp"
status=0
tidy >"$scratch/output" 2>&1 || status=$?
if ((status == 77)); then
  cat "$scratch/output"
  exit 77
fi
expect 0 'no warning in 3 files' tidy

source_of 'namespace { constexpr int mine = 1, kMine = 2; }' first >"$scratch/system/first.cpp"
expect 1 "system/first.cpp:2:.*'mine'.*readability-identifier-naming" tidy
source_of 'namespace { constexpr int kMine = 1 }' first >"$scratch/system/first.cpp"
expect 1 'system/first.cpp:2:.*clang-diagnostic-error' tidy
source_of 'namespace { constexpr int kMine = 1; }' first >"$scratch/system/first.cpp"
printf '#pragma once\ninline long read(int mine) { return (mine + 1) * 2; }\n' >"$scratch/system/read.hpp"
expect 1 'system/read.hpp:2:.*bugprone-implicit-widening' tidy
source_of 'namespace { constexpr int kMine = 2; }' second >"$scratch/system/detail/second.cpp"
expect 1 "system/first.cpp:2:.*redefinition of 'kMine'.*two sources must not" tidy

mkdir -p "$scratch/apps/common" "$scratch/apps/first" "$scratch/apps/second"
programs() { "$here/tidy_test.sh" "$scratch" --programs apps/common apps/first apps/second -- -std=c++11; }
for program in first second; do
  printf '#include <cstdio>\nint main() { return std::puts("%s"); }\n' $program >"$scratch/apps/$program/main.cpp"
done
expect 0 'no warning in 2 files' programs
printf 'int main() { return sizeof(int*); int Wrong = 0; }\n' >"$scratch/apps/second/main.cpp"
expect 1 "apps/second/main.cpp:1:.*'Wrong'.*readability-identifier-naming" programs
rm -r "$scratch/system/"*
expect 1 'no sources in' tidy
((failures == 0))
