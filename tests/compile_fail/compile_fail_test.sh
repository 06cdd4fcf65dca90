#!/usr/bin/env bash
# Passes if SOURCE compiles without a case, and if the compiler rejects each case with the expected
# message as its first error.
#
#   compile_fail_test.sh ROOT FOLDERS COMPILER SOURCE
#
# FOLDERS lists the include folders of the library, one on each line. A case is a part of SOURCE
# between #ifdef and #endif:
#
#   #ifdef NAME  // part of the message
#
# CASE is defined in each case. Valid code that no case needs is inside of #ifndef CASE, because it takes longer to
# compile than the case. For the same reason, the headers of SOURCE are precompiled for the cases.
set -euo pipefail
root=$1 folders=$2 compiler=$3 source=$4

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mapfile -t foreign < <(grep -v -e "^$root" -e "^$" "$folders" || true)
options=(-std=c++11 "-I$root" "-I$root/system" "${foreign[@]/#/-idirafter}")
compile() { "$compiler" "${options[@]}" -fsyntax-only "$@" "$source" 2>&1; }

result=0
if ! complaint=$(compile); then
  echo "without a case: $complaint"
  result=1
fi
headers=$scratch/headers.hpp
grep '^#include' "$source" >"$headers"
"$compiler" "${options[@]}" -x c++-header "$headers" -o "$headers.gch"
cases=0
while read -r _ name _ sentence; do
  cases=$((cases + 1))
  if complaint=$(compile -include "$headers" -DCASE "-D$name"); then
    echo "$name: compiles"
    result=1
  elif ! grep -m1 "error:" <<<"$complaint" | grep -qF "$sentence"; then
    echo "$name: the first error is not \"$sentence\"; the errors are"
    grep "error:" <<<"$complaint"
    result=1
  fi
done < <(grep '^#ifdef' "$source")
echo "$cases cases"
((cases > 0)) || result=1
exit "$result"
