#!/usr/bin/env bash
# Searches where the machine gives less than usual: they end well, or with one line that says why not.
#
#   surroundings_test.sh PROGRAM JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "${BASH_SOURCE[0]%/*}/../../harness/program.sh"

searches=(--scale=12 --nbfs=4)

# A core that may map 2 GB: the heap takes what it can get, and is not more than that if asked to be.
(
  ulimit -v 2000000
  succeeds 3 "${searches[@]}"
  says '^4 searches validated$'
  refused 'limited (ulimit -v, ulimit -d)' "${searches[@]}" --heap_bytes=100000000000
  ((failures == 0))
) || failures=$((failures + 1))

# Few files.
(
  ulimit -n 64
  succeeds 3 "${searches[@]}"
  ((failures == 0))
) || failures=$((failures + 1))

# Two jobs of one user at a time.
"$job" -n 3 --shared "$program" "${searches[@]}" >"$scratch/other" 2>&1 &
succeeds 3 "${searches[@]}"
wait $! || fail "the other of two jobs ended with status $?: $(cat "$scratch/other")"

# In file systems of its own: a /dev/shm that cannot be written.
alone=(unshare --mount bash -c 'mount -t tmpfs -o ro none /dev/shm && exec "$@"' bash)
if "${alone[@]}" true 2>/dev/null; then
  status=0
  "${alone[@]}" "$job" -n 3 --shared "$program" "${searches[@]}" >"$scratch/out" 2>&1 || status=$?
  ((status == 0)) || fail "without /dev/shm ended with status $status: $(cat "$scratch/out")"
  says '^4 searches validated$'
else
  echo 'not tried without /dev/shm: that takes root and mount namespaces'
fi

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
