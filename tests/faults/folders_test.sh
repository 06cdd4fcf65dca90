#!/usr/bin/env bash
# Folders that are absent, full or read-only. A job on one host needs neither a folder for temporary files
# nor /dev/shm. A job over MPI needs a temporary folder, and the launcher reports a missing one in one line.
# If a flag names a file that cannot be written, the job exits with one line. Skipped (status 77) if the
# test may not mount file systems.
#
#   folders_test.sh PROGRAM JOB BFS
set -uo pipefail
# shellcheck source=tests/faults/surroundings.sh
source "${BASH_SOURCE[0]%/*}/surroundings.sh"
bfs=$3
skip_unless_alone

# refused PATTERN: checks that the last job exited with status 2 and printed only a line that matches.
refused() {
  ((status == 2)) || fail "status $status, expected 2: $(cat "$scratch/out" "$scratch/err")"
  (($(wc -l <"$scratch/err") == 1)) || fail "expected one line: $(cat "$scratch/err")"
  grep -Eq -- "$1" "$scratch/err" || fail "expected '$1', got: $(cat "$scratch/err")"
}
small_job=(timeout 60 "$job" -n 3 --shared "$mine" --megabytes=1)
there=$scratch/files

for folder in "$scratch/absent" "$mine"; do
  run_job env TMPDIR="$folder" "${small_job[@]}"
  agrees 3
  run_job env TMPDIR="$folder" timeout 60 "$job" -n 1 --world=mpi --shared "$mine" --megabytes=1
  refused "^grappa: cannot create a folder in $folder: set TMPDIR to another folder$"
done
[[ ! -e $scratch/absent ]] || fail 'the job created an absent folder'
for options in ro size=64k; do
  run_job alone "mount -t tmpfs -o $options none $there" env TMPDIR="$there" "${small_job[@]}"
  agrees 3
done

for shm in 'mount -t tmpfs -o size=64k none' 'mount -t tmpfs -o size=4m none' \
  'mount -t tmpfs -o ro none'; do
  run_job alone "$shm /dev/shm" "${small_job[@]}"
  agrees 3
done
# No /dev/shm at all.
run_job alone "mount -t tmpfs none $there && mkdir $there/dev && cp -a /dev/null /dev/zero \
  /dev/full /dev/random /dev/urandom /dev/fd $there/dev && mount --bind $there/dev /dev" \
  "${small_job[@]}"
agrees 3

# A read-only working folder.
read_only="mount -t tmpfs -o ro none $there && cd $there"
run_job alone "$read_only" "${small_job[@]}"
agrees 3
for flag in report_json trace; do
  run_job alone "$read_only" "${small_job[@]}" --$flag=here
  refused "flag --$flag: .here. cannot be written: Read-only file system"
done
for flag in save json parents; do
  run_job alone "$read_only" "$job" -n 2 --shared "$bfs" --scale=6 --nbfs=1 --$flag=here
  refused "here.*Read-only file system"
done
((failures == 0))
