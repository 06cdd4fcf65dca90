#!/usr/bin/env bash
# The launcher of an installed Grappa runs the programs that came with it, and those of others.
#
#   launcher_test.sh PREFIX
set -uo pipefail
launcher=$1/bin/grappa
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"

expect 0 'Usage:' "$launcher" help
expect 2 'Usage:' "$launcher"
expect 2 '^grappa: no command build; grappa help lists them$' "$launcher" build
expect 2 '^grappa: no program given; there are bfs cc .*hello .*uts .or name' "$launcher" run
expect 2 '^grappa: no program nosuch; there are bfs cc ' "$launcher" run nosuch
expect 2 "^grappa: no program job; there are " "$launcher" run job
expect 2 "^grappa: -n takes the number of cores, not '0'$" "$launcher" run -n 0 hello

expect 0 'of 2' "$launcher" run -n 2 hello
expect 0 '^two words$' "$launcher" run -n 1 "$(type -P echo)" 'two words'
expect 2 "^bfs: " "$launcher" run -n 2 bfs --graph="$scratch/absent"

# From anywhere, and by another name.
ln -s "$launcher" "$scratch/link"
(cd / && expect 0 'of 2' "$scratch/link" run -n 2 hello; exit $failures)
failures=$?
((failures == 0))
