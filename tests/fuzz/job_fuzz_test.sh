#!/usr/bin/env bash
# Runs a fuzz test that is a job. If the job fails, prints the flags that repeat the input.
#
#   job_fuzz_test.sh JOB CORES PROGRAM [ARGUMENT...]
set -uo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/files"
"$1" -n "$2" --shared "$3" --folder="$scratch/files" --note="$scratch/note" "${@:4}" && exit 0
status=$?
echo "fuzz: the job ended with status $status in the input $(cat "$scratch/note" 2>/dev/null); to repeat it:" >&2
echo "  tests/fuzz/job_fuzz_test.sh $1 $2 $3 $(cat "$scratch/note" 2>/dev/null)" >&2
exit 1
