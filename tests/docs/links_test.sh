#!/usr/bin/env bash
# Every relative link of every page leads to a file or folder that there is, and to a heading of it if it
# names one.
#
#   links_test.sh ROOT
set -euo pipefail
cd "$1"
failures=0 links=0

# A page without its code.
text() { awk '/^```/ { code = !code } !code' "$1" | sed -E 's/`[^`]*`/`/g'; }

# The names by which the headings of a page can be linked to.
anchors() {
  awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ */, ""); print tolower($0) }' "$1" |
    sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

while IFS= read -r page; do
  while IFS= read -r link; do
    links=$((links + 1))
    file=${link%%#*}
    target=$page
    [[ -z $file ]] || target=${page%/*}/$file
    if [[ ! -e $target ]]; then
      echo "FAILED: $page links to $link, which there is not"
      failures=$((failures + 1))
    elif [[ $link == *'#'* ]] && ! anchors "$target" | grep -Fx -- "${link#*#}" >/dev/null; then
      echo "FAILED: $page links to $link, but $target has no such heading"
      failures=$((failures + 1))
    fi
  done < <(text "$page" | grep -oE '\]\([^)]+\)' | sed 's/^](//; s/)$//' | grep -vE '^[a-z]+:' || true)
done < <(find . -name '*.md' -not -path './build/*' -not -path './.git/*' | sort)
((links > 50)) || { echo "FAILED: only $links links were found"; failures=1; }
((failures == 0)) && echo "$links links are good"
