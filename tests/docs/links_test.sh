#!/usr/bin/env bash
# Every relative link in every page refers to an existing file or folder, and to an existing heading if the
# link contains one.
#
#   links_test.sh ROOT
set -euo pipefail
cd "$1"
failures=0 links=0

# text PAGE: prints the page without its code.
text() { awk '/^```/ { code = !code } !code' "$1" | sed -E 's/`[^`]*`/`/g'; }

# anchors PAGE: prints the link targets of the headings of a page.
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
      echo "FAILED: $page links to $link, which does not exist"
      failures=$((failures + 1))
    elif [[ $link == *'#'* ]] && ! anchors "$target" | grep -Fx -- "${link#*#}" >/dev/null; then
      echo "FAILED: $page links to $link, but $target has no such heading"
      failures=$((failures + 1))
    fi
  done < <(text "$page" | grep -oE '\]\([^)]+\)' | sed 's/^](//; s/)$//' | grep -vE '^[a-z]+:' || true)
done < <(find . -name '*.md' -not -path './build/*' -not -path './.git/*' | sort)
((links > 50)) || { echo "FAILED: only $links links found"; failures=1; }
((failures == 0)) && echo "$links links are valid"
