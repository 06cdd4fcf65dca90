#!/usr/bin/env bash
# A failing job leaves no process and no file behind. The job and Open MPI create all their files in a
# folder of the test.
#
#   nothing_left_test.sh PROGRAM JOB FLAG...
set -euo pipefail
program=$1 job=$2
shift 2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/files"
mine=$work/failing_$$
ln -s "$program" "$mine"
export TMPDIR=$work/files OMPI_MCA_btl_vader_backing_directory=$work/files

status=0
"$job" -n 3 --shared "$mine" "$@" >"$work/output" 2>&1 || status=$?
((status != 0)) || { echo "the job exited with status 0"; exit 1; }

left() {
  pgrep -af "^$mine" || true
  find "$work/files" -mindepth 1
}
for ((tries = 0; tries < 50; ++tries)); do
  [[ $(left) ]] || exit 0
  sleep 0.1
done
echo "the job left: $(left)"
exit 1
