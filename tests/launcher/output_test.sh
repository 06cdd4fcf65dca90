#!/usr/bin/env bash
# The output of the cores arrives complete and line by line, even if the reader is slow. If output cannot
# be written, the job is aborted.
#
#   output_test.sh ACTOR JOB
set -uo pipefail
actor=$(realpath -- "$1") job=$(realpath -- "$2")
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"
run=("$job" -n 4 --shared "$actor")

# lines_of_four N: the sorted output of four cores that print N lines each.
lines_of_four() {
  local core
  for core in 0 1 2 3; do
    awk -v core=$core -v n="$1" 'BEGIN {
      for (k = 0; k < n; ++k) {
        body = sprintf("%*s", k * 7919 % 8000, "")
        gsub(/ /, sprintf("%c", 97 + core), body)
        print core, k, body
      }
    }'
  done | sort
}

lines_of_four 300 >"$scratch/wanted"
timeout 60 "${run[@]}" run lines=300 finalize | sort >"$scratch/got"
cmp "$scratch/wanted" "$scratch/got" || fail 'lines are lost or split by lines of other cores'
# A slow reader, which pauses.
timeout 60 "${run[@]}" run lines=300 finalize |
  { sleep 1; head -c 100000; sleep 1; cat; } | sort >"$scratch/got"
cmp "$scratch/wanted" "$scratch/got" || fail 'lines are lost if the reader is slow'
timeout 60 "${run[@]}" run lines=300 finalize >"$scratch/file"
sort "$scratch/file" | cmp "$scratch/wanted" - || fail 'lines are lost in a file'

# A line longer than the limit of the launcher is copied in pieces, with bounded memory.
got=$(timeout 60 bash -c 'ulimit -v 80000 && exec "$@"' bash "$job" -n 1 "$actor" run line=100000 finalize | wc -c)
((got == 100000001)) || fail "a line of 100000001 bytes arrived with $got bytes"

# A last line without a line end.
expect 0 '^x$' "$job" -n 2 --shared "$actor" run 1:say=x finalize
[[ $("$job" -n 2 --shared "$actor" 1:say=x | od -An -c | tr -d ' ') == x ]] || fail 'the launcher added a line end'
output=$("$job" -n 3 --shared "$actor" say=abc | od -An -c | tr -d ' \n')
[[ $output == 'abc\nabc\nabc' ]] || fail "last lines without a line end were printed as $output"
output=$("$job" -n 2 --shared "$actor" run 1:complain=abc 1:raise=9 sleep=60 2>&1)
[[ $output == $'abc\ngrappa: core 1 was killed by signal 9 (SIGKILL)' ]] || fail "the report of the launcher is not the last line: $output"

# stdout and stderr stay separate.
"$job" -n 2 --shared "$actor" say=out complain=err >"$scratch/out" 2>"$scratch/err"
[[ $(cat "$scratch/out" "$scratch/err") == $'out\nouterr\nerr' ]] || fail "stdout and stderr are mixed"

# Output that cannot be written aborts the job, with an error message if stderr can be written.
cannot='^grappa: cannot write the standard output of the job: '
expect 1 "${cannot}No space left on device\$" timeout 30 bash -c '"$@" >/dev/full' bash "${run[@]}" run say=$'x\n' sleep=60
expect 1 "${cannot}No space left on device\$" timeout 30 bash -c '"$@" >/dev/full' bash "${run[@]}" say=x
expect 1 "${cannot}Broken pipe\$" timeout 30 bash -c '"$@" | head -n 1 >/dev/null; exit "${PIPESTATUS[0]}"' \
  bash "${run[@]}" lines=100000000
expect 1 "${cannot}Bad file descriptor\$" timeout 30 bash -c '"$@" >&-' bash "${run[@]}" say=x
expect 1 '^$' timeout 30 bash -c '"$@" 2>/dev/full' bash "${run[@]}" complain=$'x\n' sleep=60
expect 0 '^$' timeout 30 bash -c '"$@" <&- >&- 2>&-' bash "${run[@]}" run finalize
expect 0 '^0 got $' timeout 30 bash -c '"$@" <&-' bash "$job" -n 1 bash -c 'read -r line; echo "0 got $line"'

# A terminal shows an incomplete line after a pause.
if type -P script >/dev/null; then
  started="'$job' -n 2 --shared '$actor' run 1:say=half 1:sleep=2 finalize"
  output=$(timeout 30 script --quiet --return --command "$started" /dev/null </dev/null | { IFS= read -r -t 1 -N 4 part; echo "$part"; cat >/dev/null; })
  [[ $output == half ]] || fail "a terminal shows '$output' of an incomplete line"
  terminal() { script --quiet --return --command "$1" /dev/null </dev/null; }
  [[ $(terminal "'$job' -n 1 printenv GRAPPA_TERMINAL") == 1* ]] || fail 'GRAPPA_TERMINAL is not set although stderr is a terminal'
  [[ $(terminal "GRAPPA_TERMINAL=1 '$job' -n 1 printenv GRAPPA_TERMINAL 2>/dev/null") != 1* ]] ||
    fail 'GRAPPA_TERMINAL is set although stderr is a file'
fi
((failures == 0))
