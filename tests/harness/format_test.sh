#!/usr/bin/env bash
# All sources are formatted according to .clang-format, and comments respect the same column limit. Skipped
# (status 77) without clang-format 14, because other versions format differently.
#
#   format_test.sh ROOT
set -euo pipefail
cd "$1"

for formatter in clang-format-14 clang-format ''; do
  if [[ -z $formatter ]]; then
    echo "skipped: clang-format 14 not found (Debian: apt-get install clang-format)"
    exit 77
  fi
  version=$("$formatter" --version 2>/dev/null) || continue
  if [[ $version == *'version 14.'* ]]; then break; fi
done

mapfile -d '' -t sources < <(
  find system structures apps bench cmake docs launcher tests -type f \( -name '*.hpp' -o -name '*.cpp' \) -print0 |
    sort -z)
limit=$(awk '$1 == "ColumnLimit:" { print $2 }' .clang-format)
if ! awk -v limit="$limit" '
    FNR == 1 || /clang-format on/ { ours = 0 }
    /clang-format off/ { ours = 1 }
    !ours && length > limit { print FILENAME ":" FNR ": error: more than " limit " columns"; bad = 1 }
    END { exit bad }' "${sources[@]}"; then
  exit 1
fi
if complaints=$("$formatter" --dry-run -Werror "${sources[@]}" 2>&1); then
  echo "${#sources[@]} files are formatted correctly"
  exit 0
fi
grep "error:" <<<"$complaints" || printf "%s\n" "$complaints"
echo "to fix the format, run: $formatter -i FILE..."
exit 1
