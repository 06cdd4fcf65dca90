#!/usr/bin/env bash
# Folders that are not there, full or read-only. Of the one for temporary files the launcher says so in
# one line; without /dev/shm, or with a full one, jobs run; a file that a flag names and that cannot be
# written ends the job with one line. Skipped (status 77) where nothing can be mounted.
#
#   folders_test.sh PROGRAM JOB BFS
set -uo pipefail
# shellcheck source=tests/faults/surroundings.sh
source "${BASH_SOURCE[0]%/*}/surroundings.sh"
bfs=$3
skip_unless_alone

# refused PATTERN: the last job has ended with status 2 and this line only.
refused() {
  ((status == 2)) || fail "status $status, not 2: $(cat "$scratch/out" "$scratch/err")"
  (($(wc -l <"$scratch/err") == 1)) || fail "not one line: $(cat "$scratch/err")"
  grep -Eq -- "$1" "$scratch/err" || fail "not '$1' but: $(cat "$scratch/err")"
}
small_job=(timeout 60 "$job" -n 3 --shared "$mine" --megabytes=1)
there=$scratch/files

run_job env TMPDIR="$scratch/absent" "${small_job[@]}"
refused "^job: TMPDIR is $scratch/absent, which is no folder: "
[[ ! -e $scratch/absent ]] || fail 'a folder that was not there has been made'
run_job env TMPDIR="$mine" "${small_job[@]}"
refused "^job: TMPDIR is $mine, which is no folder: "
run_job alone "mount -t tmpfs -o ro none $there" env TMPDIR="$there" "${small_job[@]}"
refused "^job: no file can be made in $there: "
run_job alone "mount -t tmpfs -o size=64k none $there" env TMPDIR="$there" "${small_job[@]}"
refused "^job: $there has room for 64 KiB, and a job of 3 cores needs [0-9]+ KiB there: "
enough=$(sed -nE 's/.* needs ([0-9]+) KiB.*/\1/p' "$scratch/err")
run_job alone "mount -t tmpfs -o size=${enough}k none $there" env TMPDIR="$there" "${small_job[@]}"
agrees 3
run_job alone 'mount -t tmpfs -o ro none /tmp' env -u TMPDIR PATH="$PATH" \
  timeout 60 "$job" -n 1 true
refused '^job: no file can be made in /tmp: '

for shm in 'mount -t tmpfs -o size=64k none' 'mount -t tmpfs -o size=4m none' \
  'mount -t tmpfs -o ro none'; do
  run_job alone "$shm /dev/shm" "${small_job[@]}"
  agrees 3
done
# None at all.
run_job alone "mount -t tmpfs none $there && mkdir $there/dev && cp -a /dev/null /dev/zero \
  /dev/full /dev/random /dev/urandom /dev/fd $there/dev && mount --bind $there/dev /dev" \
  "${small_job[@]}"
agrees 3

# A working folder that is read-only.
read_only="mount -t tmpfs -o ro none $there && cd $there"
run_job alone "$read_only" "${small_job[@]}"
agrees 3
for flag in metrics_json trace trace_file; do
  run_job alone "$read_only" "${small_job[@]}" --$flag=here
  refused "flag --$flag: .here. cannot be written: Read-only file system"
done
for flag in save json parents; do
  run_job alone "$read_only" "$job" -n 2 --shared "$bfs" --scale=6 --nbfs=1 --$flag=here
  refused "here.*Read-only file system"
done
((failures == 0))
