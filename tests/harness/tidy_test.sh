#!/usr/bin/env bash
# clang-tidy, with the checks of .clang-tidy, reports no warning for the headers and sources of the given
# folders. All files of the folders are combined into one source, because clang-tidy spends most of its time
# in common includes, which it then reads once. Two sources must therefore not define the same name, even in
# unnamed namespaces. With --programs, the folders are programs, which all define `main`: each folder but the
# first, which they share, is read in a namespace of its own, after everything that they include from
# elsewhere. Skipped (status 77) without clang-tidy 14, because other versions have other checks.
#
#   tidy_test.sh ROOT [--programs] FOLDER... -- COMPILER-FLAG...
set -euo pipefail
root=$1
shift
programs=
if [[ ${1-} == --programs ]]; then
  programs=yes
  shift
fi
folders=()
while (($#)) && [[ $1 != -- ]]; do
  folders+=("$root/$1")
  shift
done
flags=("${@:2}")

for tidy in clang-tidy-14 clang-tidy ''; do
  if [[ -z $tidy ]]; then
    echo "skipped: clang-tidy 14 not found (Debian: apt-get install clang-tidy)"
    exit 77
  fi
  version=$("$tidy" --version 2>/dev/null) || continue
  if [[ $version == *'version 14.'* ]]; then break; fi
done

sources() { find "$@" -type f \( -name '*.hpp' -o -name '*.cpp' \) | LC_ALL=C sort; }
mapfile -t files < <(sources "${folders[@]}")
((${#files[@]})) || { echo "FAILED: no sources in ${folders[*]}"; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

including() { sed 's|.*|#include "&"  // NOLINT(bugprone-suspicious-include)|'; }
if [[ $programs ]]; then
  grep -h '^#include' "${files[@]}" | grep -v '"apps/' | LC_ALL=C sort -u
  sources "${folders[0]}" | including
  for folder in "${folders[@]:1}"; do
    printf 'namespace program_%s {\n%s\n}\n' "${folder##*/}" "$(sources "$folder" | including)"
  done
else
  printf '%s\n' "${files[@]}" | including
fi >"$scratch/together.cpp"
if ! output=$("$tidy" --quiet --config-file="$root/.clang-tidy" --warnings-as-errors='*' \
  "$scratch/together.cpp" -- "${flags[@]}" -I"$root" 2>&1); then
  printf '%s\n' "${output//"$root/"/}"
  [[ $output != *'redefinition of '* ]] ||
    echo "rename one of the names: two sources must not define the same name"
  exit 1
fi
echo "clang-tidy reports no warning in ${#files[@]} files"
