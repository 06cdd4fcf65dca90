#!/usr/bin/env bash
# All sources are formatted as .clang-format says. Skipped (status 77) without clang-format 14: other
# versions format differently.
#
#   format_test.sh ROOT
set -euo pipefail
cd "$1"

for formatter in clang-format-14 clang-format ''; do
  if [[ -z $formatter ]]; then
    echo "skipped: clang-format 14 was not found (Debian: apt-get install clang-format)"
    exit 77
  fi
  version=$("$formatter" --version 2>/dev/null) || continue
  if [[ $version == *'version 14.'* ]]; then break; fi
done

mapfile -d '' -t sources < <(
  find system structures apps bench tests -type f \( -name '*.hpp' -o -name '*.cpp' \) -print0 |
    sort -z)
if complaints=$("$formatter" --dry-run -Werror "${sources[@]}" 2>&1); then
  echo "${#sources[@]} files are well formatted"
  exit 0
fi
grep "error:" <<<"$complaints" || printf "%s\n" "$complaints"
echo "repair with: $formatter -i FILE..."
exit 1
