#!/usr/bin/env bash
# clang-tidy, with the checks of .clang-tidy, reports no warning for the headers and sources of the given
# folders. All files of the folders are combined into one source, because common includes are then parsed
# once. Two sources of a module must therefore not define the same name, even in unnamed namespaces.
# Skipped (status 77) without clang-tidy 14, because other versions have other checks.
#
#   tidy_test.sh ROOT FOLDER... -- COMPILER-FLAG...
set -euo pipefail
root=$1
shift
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

mapfile -d '' -t files < <(
  find "${folders[@]}" -type f \( -name '*.hpp' -o -name '*.cpp' \) -print0 | sort -z)
((${#files[@]})) || { echo "FAILED: no sources in ${folders[*]}"; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

printf '#include "%s"  // NOLINT(bugprone-suspicious-include)\n' "${files[@]}" >"$scratch/together.cpp"
if ! output=$("$tidy" --quiet --config-file="$root/.clang-tidy" --warnings-as-errors='*' \
  "$scratch/together.cpp" -- "${flags[@]}" -I"$root" 2>&1); then
  printf '%s\n' "${output//"$root/"/}"
  [[ $output != *'redefinition of '* ]] ||
    echo "rename one of the names: two sources of a folder must not define the same name"
  exit 1
fi
echo "clang-tidy reports no warning in ${#files[@]} files"
