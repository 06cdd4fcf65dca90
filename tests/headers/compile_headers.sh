#!/usr/bin/env bash
# Every public header compiles alone as C++11 without a warning, and all together under each later
# standard up to C++20, with the compiler of the build and with the others that are installed.
#
#   compile_headers.sh ROOT LIST FOLDERS COMPILER...
#
# LIST names the headers that are installed, FOLDERS the include folders of the library, one a line. A
# header that one of them includes and that is in no list fails the test too: it would be missing after
# installation.
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
  [[ $includer ]] || continue  # only sources use it
  echo "$header: in no list of headers, so $includer would lack it after installation"
  result=1
done < <(comm -23 "$scratch/present" "$scratch/listed")

# Foreign headers are not judged: theirs are system folders, searched last.
mapfile -t foreign < <(grep -v -e "^$root" -e "^$" "$folders" || true)
export HEADER_OPTIONS="-I$root -I$root/system -I$root/system/compat ${foreign[*]/#/-idirafter }"

# One line for each header that fails, and the compiler's first complaint. "all" is all of them.
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
# Not _impl: the second part of a header, which includes it.
export HEADERS=$scratch/headers
grep -v "_impl\.hpp$" "$scratch/listed" >"$HEADERS"

for compiler in "$@"; do
  awk -v c="$compiler" '{ print c "\nc++11\n" $0 }' "$HEADERS"
  printf '%s\n' "$compiler" c++14 all "$compiler" c++17 all "$compiler" c++20 all
done >"$scratch/work"

xargs -r -d '\n' -n 3 -P "$(nproc)" bash -c 'compile "$@"' _ <"$scratch/work" || result=1
echo "$(wc -l <"$scratch/listed") headers, $(($(wc -l <"$scratch/work") / 3)) compilations"
exit "$result"
