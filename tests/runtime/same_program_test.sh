#!/usr/bin/env bash
# A job starts if its shared libraries that are linked for a place have got it, and else ends at once
# with a sentence. Skipped (status 77) where the kernel puts everything at the same place anyway.
#
#   same_program_test.sh PROGRAM OCCUPANT JOB
#
# OCCUPANT is a shared library that is linked for the place of one of PROGRAM's.
set -uo pipefail
program=$1 occupant=$2 job=$3
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"

run() { "$job" -n "$1" --shared --world=mpi "${@:2}"; }
for cores in 1 2 3; do
  expect 0 "^$cores cores agree$" run $cores "$program"
done

# The same file, or one with the same contents.
cp -- "$program" "$scratch/copy"
cat >"$scratch/two" <<END
#!/bin/bash
[[ \$OMPI_COMM_WORLD_RANK != 1 ]] || exec '$scratch/copy'
exec '$program'
END
chmod +x "$scratch/two"
expect 0 '^3 cores agree$' run 3 "$scratch/two"
printf x >>"$scratch/copy"
expect 2 'core 1 runs another binary than core 0: start the same file on all machines' \
  run 3 "$scratch/two"

# One core has a library that the others have not.
cat >"$scratch/one" <<END
#!/bin/bash
[[ \$OMPI_COMM_WORLD_RANK != 1 ]] || export LD_PRELOAD='$occupant'
exec '$program'
END
chmod +x "$scratch/one"
expect 2 'core 1 has other shared libraries of Grappa than core 0: install the same build' \
  run 3 "$scratch/one"

# The others have it too. Whichever is loaded second is where the kernel likes.
if [[ $(</proc/sys/kernel/randomize_va_space) == 0 ]]; then
  ((failures == 0)) || exit 1
  echo "skipped: the kernel does not randomize"
  exit 77
fi
sed 's/^.*||/:;/' "$scratch/one" >"$scratch/all"
chmod +x "$scratch/all"
expect 2 'core 1 has the shared libraries of Grappa at another place than core 0, where' \
  run 2 "$scratch/all"
((failures == 0))
