#!/usr/bin/env bash
# Two concurrent jobs of one user: both compute correct results, and no shared mapping of a core belongs to
# both jobs. Shared memory has no name in a file system and no descriptor. No process of a job has a socket.
#
#   pairs_test.sh PROGRAM JOB PAIRS
set -uo pipefail
# shellcheck source=tests/faults/surroundings.sh
source "${BASH_SOURCE[0]%/*}/surroundings.sh"
pairs=$3

# begin NAME: starts a job in the background that runs long enough to overlap the other job.
begin() {
  ln -sf "$program" "$scratch/$1"
  TMPDIR=$scratch/files "$job" -n 2 --shared "$scratch/$1" --say=began --seconds=1 >"$scratch/$1.out" 2>&1 </dev/null &
}
works() { grep -q '^began$' "$scratch/$1.out"; }

# Prints device, inode and name of each shared mapping of a job: the memory of the job and a segment per core.
shared() {
  local process
  for process in $(pgrep -f "^$scratch/$1"); do
    awk '$2 ~ /s$/ { print $4, $5, $6, $7 }' "/proc/$process/maps"
  done | sort -u
}

check_names() {
  local device inode name rest process
  (($(grep -c 'memfd:grappa' <<<"$1") == 3)) || fail "expected 3 shared mappings of two cores: $1"
  while read -r device inode name rest; do
    case $name in
      /memfd:grappa | /memfd:grappa_job) [[ $rest == '(deleted)' ]] || fail "$name has a name on $device" ;;
      *) fail "unexpected shared mapping $name" ;;
    esac
  done <<<"$1"
  # shellcheck disable=SC2012
  for process in $(pgrep -f "^$scratch/$2"); do
    ! ls -l "/proc/$process/fd" | grep -E 'memfd:|socket:' || fail 'a core has an open descriptor'
  done
  # shellcheck disable=SC2012
  ! ls -l "/proc/${!2}/fd" | grep socket: || fail 'the launcher has a socket'
}

for ((pair = 0; pair < pairs && failures == 0; ++pair)); do
  begin one && one=$!
  begin two && two=$!
  comes_true 20 works one && comes_true 20 works two || fail 'two jobs do not start'
  of_one=$(shared one) of_two=$(shared two)
  check_names "$of_one" one
  check_names "$of_two" two
  both=$(comm -12 <(echo "$of_one") <(echo "$of_two"))
  [[ -z $both ]] || fail "two jobs share $both"
  for name in one two; do
    status=0
    wait "${!name}" || status=$?
    [[ $status == 0 && $(cat "$scratch/$name.out") == $'began\n2 cores agree' ]] ||
      fail "one of two jobs: status $status, $(cat "$scratch/$name.out")"
  done
done
((failures == 0)) && echo "$pairs pairs"
