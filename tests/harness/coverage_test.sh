#!/usr/bin/env bash
# cmake/coverage merges the lines that all programs ran: each line counts once, even in a header of two
# programs. It includes sources that no program links, and ignores files outside the modules.
#
#   coverage_test.sh ROOT COMPILER
set -euo pipefail
# shellcheck source=tests/harness/checks.sh
source "$1/tests/harness/checks.sh"
compiler=$2
coverage() { "$coverage" "$scratch" "$scratch/build"; }
coverage=$1/cmake/coverage

mkdir -p "$scratch/system/"{base,net} "$scratch/tests" "$scratch/build"
cat >"$scratch/system/base/sign.hpp" <<'END'
inline int sign(int n) {
  if (n < 0)
    return -1;
  if (n > 0)
    return 1;
  return 0;
}
END
cat >"$scratch/system/net/twice.cpp" <<'END'
#include "system/base/sign.hpp"
int twice(int n) {
  return 2 * sign(n);
}
int never(int n) {
  return n;
}
END
for n in -1 1; do
  echo "int twice(int); int main() { return twice($n) != 2 * $n; }" >"$scratch/tests/main.cpp"
  must compile "$compiler" --coverage -O0 -I"$scratch" -o "$scratch/build/program$n" \
    "$scratch/system/net/twice.cpp" "$scratch/tests/main.cpp"
done

cd "$scratch/build"
mkdir grappa_net.dir
printf 'int unused() {\n  return 1;\n}\n' >"$scratch/system/net/unused.cpp"
must compile "$compiler" --coverage -O0 -c -o grappa_net.dir/unused.o "$scratch/system/net/unused.cpp"
expect 1 'no program of .* has run' coverage
must run ./program-1
expect 0 'system/base +6 lines +3 covered' coverage
must run ./program1
expect 0 'system/base +6 lines +5 covered +83[.]3 %' coverage
expect 0 'system/net +6 lines +2 covered +33[.]3 %' coverage
[[ $(coverage) != *tests* ]] || fail "the table contains tests"
wanted='system/base/sign.hpp:6:  return 0;
system/net/twice.cpp:5:int never(int n) {
system/net/twice.cpp:6:  return n;
system/net/unused.cpp:1:int unused() {
system/net/unused.cpp:2:  return 1;'
[[ $(<uncovered.txt) == "$wanted" ]] || fail "uncovered.txt: $(<uncovered.txt)"
((failures == 0))
