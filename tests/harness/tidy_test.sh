#!/usr/bin/env bash
# clang-tidy, with the checks of .clang-tidy, reports no warning for the headers and sources of the given
# folders. All files are combined into one source, which is faster because common includes are parsed once.
# If the combined source does not compile because two files define the same name, it is split into halves.
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
failed=''

# Prints the warnings of clang-tidy for the combined source.
say() {
  "$tidy" --quiet --config-file="$root/.clang-tidy" --warnings-as-errors='*' \
    "$scratch/together.cpp" -- "${flags[@]}" -I"$root" 2>&1
}

# check FILE...: checks the files as one source. If that source does not compile, checks each half.
check() {
  local output half=$(($# / 2))
  printf '#include "%s"  // NOLINT(bugprone-suspicious-include)\n' "$@" >"$scratch/together.cpp"
  if output=$(say); then return; fi
  if (($# > 1)) && [[ $output == *'[clang-diagnostic-error'* ]]; then
    check "${@:1:half}"
    check "${@:half+1}"
  else
    printf '%s\n' "${output//"$root/"/}"
    failed=yes
  fi
}

check "${files[@]}"
[[ ! $failed ]] || exit 1
echo "clang-tidy reports no warning in ${#files[@]} files"
