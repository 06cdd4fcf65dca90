#!/usr/bin/env bash
# Searches with limited resources of the machine: they succeed, or report the reason in one line.
#
#   surroundings_test.sh PROGRAM JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "${BASH_SOURCE[0]%/*}/../../harness/program.sh"

searches=(--scale=12 --nbfs=4)

# With 2 GB of address space, the heap takes the available space; a larger --heap_bytes is rejected.
(
  ulimit -v 2000000
  succeeds 3 "${searches[@]}"
  says '^4 searches validated$'
  refused 'bytes free (ulimit -v, ulimit -d)' "${searches[@]}" --heap_bytes=100000000000
  ((failures == 0))
) || failures=$((failures + 1))

# A small limit of open files.
(
  ulimit -n 64
  succeeds 3 "${searches[@]}"
  ((failures == 0))
) || failures=$((failures + 1))

# Two simultaneous jobs of one user.
"$job" -n 3 --shared "$program" "${searches[@]}" >"$scratch/other" 2>&1 &
succeeds 3 "${searches[@]}"
wait $! || fail "the second of two jobs ended with status $?: $(cat "$scratch/other")"

# In a separate mount namespace, with a read-only /dev/shm.
alone=(unshare --mount bash -c 'mount -t tmpfs -o ro none /dev/shm && exec "$@"' bash)
if "${alone[@]}" true 2>/dev/null; then
  status=0
  "${alone[@]}" "$job" -n 3 --shared "$program" "${searches[@]}" >"$scratch/out" 2>&1 || status=$?
  ((status == 0)) || fail "without /dev/shm ended with status $status: $(cat "$scratch/out")"
  says '^4 searches validated$'
else
  echo 'skipped without /dev/shm: requires root and mount namespaces'
fi

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
