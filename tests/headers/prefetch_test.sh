#!/usr/bin/env bash
# The optimiser keeps the calls of functions that only prefetch. g++ 12 removes them if the prefetch is a
# plain __builtin_prefetch.
#
#   prefetch_test.sh ROOT COMPILER...
set -euo pipefail
cd "$1"
shift

for compiler in "$@"; do
  assembly=$("$compiler" -O3 -std=c++11 -I. -S -o - tests/headers/prefetch.cpp)
  for function in prefetch_to_write prefetch_to_read; do
    grep -qE "(callq?|jmp|bl?)[[:space:]].*$function" <<<"$assembly" || {
      echo "$compiler has removed the calls of $function"
      exit 1
    }
  done
done
