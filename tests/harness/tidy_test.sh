#!/usr/bin/env bash
# clang-tidy has nothing to say, by the checks of .clang-tidy, about the headers and sources of some
# folders. They are read as one source, so that what they include is read once. Files that cannot be
# together, as two have something of one name, are parted by halves. Skipped (status 77) without
# clang-tidy 14: other versions have other checks.
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
    echo "skipped: clang-tidy 14 was not found (Debian: apt-get install clang-tidy)"
    exit 77
  fi
  version=$("$tidy" --version 2>/dev/null) || continue
  if [[ $version == *'version 14.'* ]]; then break; fi
done

mapfile -d '' -t files < <(
  find "${folders[@]}" -type f \( -name '*.hpp' -o -name '*.cpp' \) -print0 | sort -z)
((${#files[@]})) || { echo "FAILED: there are no sources in ${folders[*]}"; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=''

# What clang-tidy says of the files that have been put together.
say() {
  "$tidy" --quiet --config-file="$root/.clang-tidy" --warnings-as-errors='*' \
    "$scratch/together.cpp" -- "${flags[@]}" -I"$root" 2>&1
}

# Reads these files as one, or each half of them if they cannot be together, which is seldom.
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
echo "clang-tidy has nothing to say about ${#files[@]} files"
