#!/usr/bin/env bash
# Every public header compiles alone as C++11 without a warning, with the compiler of the build. All headers
# together compile under each standard up to C++20, with this compiler and with a second installed compiler.
# The build compiles a header alone, as C++17, if a source of the library includes it first. This test does
# not compile such a header alone again. Neither does it compile a header that another header includes first,
# because it compiles alone if the other header does, nor a header that has nothing but includes of other headers.
#
#   compile_headers.sh ROOT LIST FOLDERS COMPILER...
#
# The file LIST has the installed headers, and the file FOLDERS the include folders of the library, one per
# line. The test also fails if a listed header includes a header that is not listed, because the latter
# would be missing after installation.
set -euo pipefail
root=$1 list=$2 folders=$3
shift 3
cd "$root"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
result=0

find system structures -name '*.hpp' | sort >"$scratch/present"
sort -u "$list" >"$scratch/listed"
while IFS= read -r header; do
  includer=$(xargs grep -lF "#include \"$header\"" <"$scratch/listed" | head -n 1) || true
  [[ $includer ]] || continue  # only sources use this header
  echo "$header: not listed for installation, but $includer includes it"
  result=1
done < <(comm -23 "$scratch/present" "$scratch/listed")

# Warnings in external headers are ignored: their folders are system folders, which are searched last.
mapfile -t foreign < <(grep -v -e "^$root" -e "^$" "$folders" || true)
export HEADER_OPTIONS="-I$root -I$root/system ${foreign[*]/#/-idirafter }"

# compile COMPILER STANDARD HEADER: prints one line with the first error if HEADER does not compile. The
# header "all" means all headers together.
compile() {
  local compiler=$1 standard=$2 header=$3 complaint
  # shellcheck disable=SC2086  # several options
  if ! complaint=$(includes "$header" |
    "$compiler" -x c++ -std="$standard" -fsyntax-only -Wall -Wextra -pedantic-errors -Werror \
      $HEADER_OPTIONS - 2>&1); then
    printf '%s: fails alone as %s with %s: %s\n' "$header" "$standard" "${compiler##*/}" \
      "$(grep -m1 -E 'error|warning' <<<"$complaint" || head -n1 <<<"$complaint")"
    return 1
  fi
}
includes() {
  if [[ $1 == all ]]; then cat "$HEADERS"; else echo "$1"; fi | sed 's/.*/#include "&"/'
}
export -f compile includes
# Skips *_impl.hpp: such a file is the second part of a header, which includes it.
export HEADERS=$scratch/headers
grep -v "_impl\.hpp$" "$scratch/listed" >"$HEADERS"

for compiler in "$@"; do
  for standard in c++11 c++14 c++17 c++20; do printf '%s\n' "$compiler" $standard all; done
done >"$scratch/work"
{ find system structures -name '*.cpp' -print0; tr '\n' '\0' <"$HEADERS"; } | xargs -0 grep -m 1 -h '^#include' |
  sed -n 's/^#include "\(.*\)"$/\1/p' | sort -u >"$scratch/first"
comm -23 "$HEADERS" "$scratch/first" | xargs grep -lvE '^ *(//.*|#include ".*|#pragma once)?$' |
  awk -v c="$1" '{ print c "\nc++11\n" $0 }' >>"$scratch/work"

xargs -r -d '\n' -n 3 -P "$(nproc)" bash -c 'compile "$@"' _ <"$scratch/work" || result=1
echo "$(wc -l <"$scratch/listed") headers, $(($(wc -l <"$scratch/work") / 3)) compilations"
exit "$result"
