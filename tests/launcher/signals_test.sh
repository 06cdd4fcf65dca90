#!/usr/bin/env bash
# Signals to the launcher, to its process group, and to a core: each signal has its effect, at most one line
# is printed, and no process stays behind. The test sends the signals once at a known moment, then at random
# moments, mostly while the job starts.
#
#   signals_test.sh ACTOR JOB ROUNDS [SEED]
set -uo pipefail
actor=$(realpath -- "$1") job=$(realpath -- "$2") rounds=$3 seed=${4-$((EPOCHSECONDS % 32768))}
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"
RANDOM=$seed
echo "seed $seed"
mine=$scratch/actor_$$
ln -s "$actor" "$mine"

# The job ignores USR1, USR2 and ALRM from its first moment, like a job that the script `grappa` starts. With
# job control, it leads a process group and does not ignore INT and QUIT.
trap '' USR1 USR2 ALRM
set -m

# begin ACTION...: starts a job in a new process group, $pid.
begin() {
  : >"$scratch/out"
  "$job" -n 3 --shared "$mine" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null &
  pid=$!
}
cores() { pgrep -f "^$mine"; }
soon() {
  local tries
  for ((tries = 0; tries < 500; ++tries)); do
    ! "$@" || return 0
    sleep 0.02
  done
  return 1
}
says() { (($(grep -c "$2" "$scratch/$1") == $3)); }
nothing_left() { ! cores >/dev/null; }
# stopped PID...: succeeds if all processes are stopped.
stopped() { [[ $(ps -o stat= -p "$(tr ' ' , <<<"$*")") =~ ^(T[^[:space:]]*[[:space:]]*)+$ ]]; }
going() { [[ ! $(ps -o stat= -p "$(tr ' ' , <<<"$*")") =~ T ]]; }

# ended STATUS WHAT: checks that the job exits with STATUS and leaves no process.
ended() {
  local status=0
  soon over || { fail "$2: the job does not exit"; kill -KILL "$pid"; }
  wait "$pid" 2>/dev/null || status=$?
  [[ $status == "$1" ]] || fail "$2: status $status, expected $1: $(cat "$scratch/err")"
  soon nothing_left || fail "$2: the job leaves processes $(cores)"
}
some_core() { victim=$(cores | shuf -n 1) && [[ $victim ]]; }
over() { ! kill -0 "$pid" 2>/dev/null; }

for target in launcher group; do
  for signal in INT TERM HUP QUIT; do
    begin run say=$'on\n' sleep=60
    soon says out on 3 || fail 'the job does not start'
    if [[ $target == group ]]; then kill -$signal -- -$pid; else kill -$signal $pid; fi
    number=$(kill -l $signal)
    ended $((128 + number)) "SIG$signal to the $target"
    [[ $(cat "$scratch/err") == "grappa: the job was terminated by signal $number (SIG$signal)" ]] ||
      fail "SIG$signal to the $target: $(cat "$scratch/err")"
  done

  # A forwarded signal reaches each core once. A core that does not handle the signal ignores it.
  begin run handle=10 say=$'on\n' sleep=1 finalize
  soon says out on 3
  if [[ $target == group ]]; then to=-$pid; else to=$pid; fi
  kill -USR1 -- "$to"
  soon says err 'got signal 10' 3 || fail "SIGUSR1 to the $target does not reach the cores: $(cat "$scratch/err")"
  kill -USR2 -- "$to"
  kill -ALRM -- "$to"
  ended 0 "SIGUSR1, SIGUSR2 and SIGALRM to the $target"
  says err 'got signal 10' 3 && (($(wc -l <"$scratch/err") == 3)) ||
    fail "SIGUSR1 to the $target: $(cat "$scratch/err")"

  # SIGTSTP stops and SIGCONT continues the launcher and all cores.
  begin run say=$'on\n' sleep=60
  if [[ $target == group ]]; then to=-$pid; else to=$pid; fi
  soon says out on 3
  mapfile -t all < <(cores)
  kill -TSTP -- "$to"
  soon stopped "$pid" "${all[@]}" || fail "SIGTSTP to the $target does not stop all processes: $(ps -o stat,args -p "$pid")"
  kill -CONT -- "$to"
  soon going "$pid" "${all[@]}" || fail "SIGCONT to the $target does not continue all processes"
  kill -TERM -- "$to"
  ended 143 "SIGTERM to the $target after a stop"
done

# A signal that is ignored when the launcher starts stays ignored.
(trap '' HUP && exec "$job" -n 2 --shared "$mine" run say=$'on\n' sleep=1 finalize) >"$scratch/out" 2>"$scratch/err" &
pid=$!
soon says out on 2
kill -HUP $pid
ended 0 'ignored SIGHUP'

# Random moments, uniform over 20 ms; a start takes a few milliseconds.
declare -A statuses=([INT]=130 [TERM]=143 [HUP]=129 [QUIT]=131 [KILL]=137 [USR1]=0 [USR2]=0 [ALRM]=0 [TSTP]=143)
for ((round = 0; round < rounds && failures == 0; ++round)); do
  for target in launcher group core; do
    for signal in INT TERM HUP QUIT KILL USR1 USR2 ALRM TSTP; do
      [[ $target != core || $signal == KILL ]] || continue
      begin run nap=$((statuses[$signal] == 0 ? 40 : 1000)) finalize
      what="round $round, SIG$signal to the $target"
      case $target in
        launcher) to=$pid ;;
        group) to=-$pid ;;
        core) soon some_core && to=$victim ;;
      esac
      sleep "0.0$(printf '%05d' $(((RANDOM * 32768 + RANDOM) % 20000)))"
      kill -$signal -- "$to" 2>/dev/null || true
      if [[ $signal == TSTP ]]; then
        sleep 0.01
        kill -CONT -- "$to" 2>/dev/null
        sleep 0.005
        kill -TERM -- "$to" 2>/dev/null
      fi
      ended "${statuses[$signal]}" "$what"
      (($(wc -l <"$scratch/err") <= 1)) || fail "$what: $(cat "$scratch/err")"
    done
  done
done
((failures == 0)) && echo "$rounds rounds"
