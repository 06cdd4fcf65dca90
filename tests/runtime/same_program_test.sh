#!/usr/bin/env bash
# A job starts if its shared libraries were loaded at the addresses for which they are linked. Otherwise
# it ends at once with an error message. Skipped (status 77) if the kernel does not randomize addresses.
#
#   same_program_test.sh PROGRAM OCCUPANT JOB
#
# OCCUPANT is a shared library that is linked for the address of one of PROGRAM's libraries.
set -uo pipefail
program=$1 occupant=$2 job=$3
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"

run() { "$job" -n "$1" --shared --world=mpi "${@:2}"; }
for cores in 1 2 3; do
  expect 0 "^$cores cores agree$" run $cores "$program"
done

# The same file, or a file with the same contents.
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

# One core has a library that the other cores do not have.
cat >"$scratch/one" <<END
#!/bin/bash
[[ \$OMPI_COMM_WORLD_RANK != 1 ]] || export LD_PRELOAD='$occupant'
exec '$program'
END
chmod +x "$scratch/one"
expect 2 'core 1 has other shared libraries of Grappa than core 0: install the same build' \
  run 3 "$scratch/one"

# The other cores have it, too. The library that is loaded second gets a random address.
if [[ $(</proc/sys/kernel/randomize_va_space) == 0 ]]; then
  ((failures == 0)) || exit 1
  echo "skipped: the kernel does not randomize"
  exit 77
fi
sed 's/^.*||/:;/' "$scratch/one" >"$scratch/all"
chmod +x "$scratch/all"
expect 2 'core 1 has loaded the shared libraries of Grappa at another address than core 0, because' \
  run 2 "$scratch/all"
((failures == 0))
