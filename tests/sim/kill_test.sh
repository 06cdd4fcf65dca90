#!/usr/bin/env bash
# No process and no file of a simulation is left a short time after ^C, or after a SIGKILL of the launcher, of the
# conductor, or of a core.
#
#   kill_test.sh ACTOR JOB CLUSTER CORES SECONDS
set -uo pipefail
job=$(realpath -- "$2") cluster=$3 cores=$4 seconds=$5
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"
cp "$1" "$scratch/actor"
actor=$scratch/actor # its processes are only those of this test
mkdir "$scratch/temporary"
set -m # otherwise, a background process ignores SIGINT

processes() { pgrep -fc "^([^ ]*job .*)?$actor forever"; }
for victim in launcher conductor core terminal; do
  TMPDIR=$scratch/temporary "$job" --simulate="$cluster" "$actor" forever >"$scratch/output" 2>&1 </dev/null &
  launcher=$!
  for ((k = 0; k < 6000; ++k)); do
    (($(processes) >= cores + 2)) && break
    sleep 0.1
  done
  (($(processes) >= cores + 2)) || fail "the simulation does not start: $(cat "$scratch/output")"
  conductor=$(pgrep -P "$launcher")
  begin=$(date +%s%N)
  case $victim in
    launcher) kill -KILL "$launcher" ;;
    conductor) kill -KILL "$conductor" ;;
    core) kill -KILL "$(pgrep -n -P "$conductor")" ;;
    terminal) kill -INT "$launcher" ;;
  esac
  for ((k = 0; k < 10 * seconds; ++k)); do
    (($(processes) == 0)) && break
    sleep 0.1
  done
  echo "$victim: $(processes) of $cores processes are left after $((($(date +%s%N) - begin) / 1000000)) ms"
  if (($(processes) != 0)); then
    fail "after $victim, $(processes) processes are left"
    pkill -KILL -f "$actor forever"
  fi
  wait "$launcher" 2>/dev/null
  [[ -z $(ls -A "$scratch/temporary") ]] || fail "files are left: $(ls -A "$scratch/temporary")"
done
exit $((failures > 0))
