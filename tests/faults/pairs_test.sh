#!/usr/bin/env bash
# Two jobs of one user at a time, and what they share with nobody: both compute right, and what a core
# has mapped to be shared is its job's alone. Memory of ours has no name and no descriptor; Open MPI's
# is the user's alone, in a folder of the user's whose name nobody can guess.
#
#   pairs_test.sh PROGRAM JOB PAIRS
set -uo pipefail
# shellcheck source=tests/faults/surroundings.sh
source "${BASH_SOURCE[0]%/*}/surroundings.sh"
pairs=$3

# begin NAME: a job in the background that works until there are two.
begin() {
  ln -sf "$program" "$scratch/$1"
  TMPDIR=$scratch/files "$job" -n 2 --shared "$scratch/$1" --say=began --seconds=1 >"$scratch/$1.out" 2>&1 </dev/null &
}
works() { grep -q '^began$' "$scratch/$1.out"; }

# What the cores of a job have mapped to be shared: inode and name. (The machine's word, one page, and
# a segment of each core.)
shared() {
  local process
  for process in $(pgrep -f "^$scratch/$1"); do
    awk '$2 ~ /s$/ { print $4, $5, $6, $7 }' "/proc/$process/maps"
  done | sort -u
}

# Twelve of 62 signs are 71 bits.
check_file() {
  [[ ! $1 =~ vader_segment || $1 =~ ^/dev/shm/grappa-[A-Za-z0-9]{12}/ ]] ||
    fail "the name of $1 can be guessed"
  [[ $(stat -c '%a %u' "$1" "${1%/*}") == "600 $EUID"$'\n'"700 $EUID" ]] ||
    fail "$1 is open to others: $(stat -c '%A %U %n' "$1" "${1%/*}")"
}

check_names() {
  local device inode name rest process
  (($(grep -c 'memfd:grappa' <<<"$1") == 3)) || fail "memory of two cores is: $1"
  while read -r device inode name rest; do
    case $name in
      /memfd:grappa) [[ $rest == '(deleted)' ]] || fail "$name has a name on $device" ;;
      /dev/shm/* | "$scratch"/*) check_file "$name" ;;
      *) fail "somebody shares $name" ;;
    esac
  done <<<"$1"
  for process in $(pgrep -f "^$scratch/$2"); do
    # shellcheck disable=SC2012
    ! ls -l "/proc/$process/fd" | grep -q memfd:grappa || fail 'a descriptor stays open'
  done
}

for ((pair = 0; pair < pairs && failures == 0; ++pair)); do
  begin one && one=$!
  begin two && two=$!
  comes_true 20 works one && comes_true 20 works two || fail 'two jobs do not begin'
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
