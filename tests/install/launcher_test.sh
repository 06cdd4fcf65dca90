#!/usr/bin/env bash
# The launcher of an installed Grappa runs the programs that came with Grappa and other programs. Its manual
# page is well formed and lists every command and option of the help text.
#
#   launcher_test.sh PREFIX
set -uo pipefail
launcher=$1/bin/grappa
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"

expect 0 'Usage:' "$launcher" help
expect 2 'Usage:' "$launcher"
expect 2 '^grappa: no command build; grappa help lists the commands$' "$launcher" build
expect 2 '^grappa: no program given; available programs: betweenness bfs cc .*hello .*uts words .or give' "$launcher" run
expect 2 '^grappa: no program nosuch; available programs: betweenness bfs cc ' "$launcher" run nosuch
expect 2 "^grappa: no program job; available programs: " "$launcher" run job
expect 2 "^grappa: -n: invalid value .0., expected a number of cores from 1 to 32767$" "$launcher" run -n 0 hello

expect 0 'of 2' "$launcher" run -n 2 hello
expect 0 '^two words$' "$launcher" run -n 1 "$(type -P echo)" 'two words'
expect 2 "^bfs: " "$launcher" run -n 2 bfs --graph="$scratch/absent"

# The manual page lists each command and each option of the help text.
gzip -cdf "$1"/share/man/man1/grappa.1* >"$scratch/grappa.1" || fail "the manual page is missing"
tr -d '\\' <"$scratch/grappa.1" >"$scratch/manual"
while read -r word; do
  grep -Eq -- "^[.]B(I? $word([ =]|$)| grappa $word$)" "$scratch/manual" || fail "the manual page lacks $word"
done < <("$launcher" help | sed -n 's/^  grappa //p' | grep -oE -- '^[a-z]+|[ []-[a-z-]+' | tr -d ' [')
if type -P groff >/dev/null; then
  expect 0 '^$' groff -man -ww -z "$scratch/grappa.1"
fi

# The launcher works in any folder and through a link.
ln -s "$launcher" "$scratch/link"
(cd / && expect 0 'of 2' "$scratch/link" run -n 2 hello; exit $failures)
failures=$?
((failures == 0))
