#!/usr/bin/env bash
# Signals to the launcher, to its process group and to a core of a real job, at random moments. The job exits
# with the right status and prints at most one line, or continues if the signal does not terminate it. No
# process and no file is left. The moments are uniform over the usual time of the job: start, work and end.
#
#   moments_test.sh PROGRAM JOB ROUNDS [SEED]
set -uo pipefail
# shellcheck source=tests/faults/surroundings.sh
source "${BASH_SOURCE[0]%/*}/surroundings.sh"
rounds=$3 seed=${4-$((EPOCHSECONDS % 32768))}
RANDOM=$seed
echo "seed $seed"

now_us() { echo "${EPOCHREALTIME/./}"; }
# Starts a job in a new process group. The starting shell ignores USR1, USR2 and ALRM, like the script
# `grappa`.
begin() {
  : >"$scratch/out"
  : >"$scratch/err"
  (trap '' USR1 USR2 ALRM && exec env --default-signal=INT,QUIT \
    setsid "$job" "${start_options[@]}" "$mine" --seconds=0.2) >"$scratch/out" 2>"$scratch/err" </dev/null &
  job_pid=$!
}

# Sets whole_us to the duration of an undisturbed job.
take_time() {
  local began
  began=$(now_us)
  begin
  status=0
  wait "$job_pid" || status=$?
  whole_us=$(($(now_us) - began))
  agrees 4
}
take_time

# Waits until a core exists, then sets `victim` to the process of a random core and `core` to its number.
# Fails if the job has ended.
choose_victim() {
  local alive
  while mapfile -t alive < <(cores_alive) && ((${#alive[@]} == 0)); do
    ! job_has_ended || return 1
  done
  victim=${alive[RANDOM % ${#alive[@]}]}
  core=$(tr '\0' '\n' 2>/dev/null <"/proc/$victim/environ" | sed -n 's/^GRAPPA_JOB=.*://p')
  [[ $core ]]
}
is_leader() { [[ $(ps -o pgid= -p "$job_pid") -eq $job_pid ]] || job_has_ended; }

# Succeeds if the launcher handles signal number $1. Until the launcher has installed its handlers, a signal has
# its default action, and nothing is printed.
launcher_handles() {
  local key mask
  [[ /proc/$job_pid/exe -ef $job ]] || return 1
  while read -r key mask; do
    [[ $key != SigCgt: ]] || { (((0x$mask >> ($1 - 1)) & 1)) && return; }
  done 2>/dev/null <"/proc/$job_pid/status"
  return 1
}

# Sets `wanted` to the expected exit status after the signal, and `line` to the expected output.
foresee() {
  local signal=$1 target=$2 number
  number=$(kill -l "$signal")
  wanted=0 line=''
  case $signal in
    KILL)
      wanted=137
      [[ $target != core ]] || line="grappa: core $core was killed by signal 9 (SIGKILL)"
      ;;
    INT | TERM | HUP | QUIT)
      wanted=$((128 + number))
      line="grappa: the job was terminated by signal $number (SIG$signal)"
      ;;
  esac
}

slowest=0 hits=0
for ((round = 0; round < rounds; ++round)); do
  for way in core.KILL {launcher,group}.{KILL,INT,TERM,HUP,QUIT,USR1,USR2,ALRM,TSTP}; do
    target=${way%.*} signal=${way#*.} core=''
    moment=$(((RANDOM * 32768 + RANDOM) % whole_us))
    begin
    case $target in
      launcher) to=$job_pid ;;
      group) to=-$job_pid && comes_true 5 is_leader ;;
    esac
    sleep "$((moment / 1000000)).$(printf '%06d' $((moment % 1000000)))"
    if [[ $target == core ]]; then
      choose_victim && to=$victim || to=0
    fi
    what="SIG$signal to the $target${core:+ $core} at $moment us of $whole_us"
    early=yes
    ! launcher_handles "$(kill -l "$signal")" || early=''
    [[ $to == 0 ]] || kill -"$signal" -- "$to" 2>/dev/null
    since=$(now_us)
    if [[ $signal == TSTP ]]; then
      sleep 0.03
      kill -CONT -- "$to" 2>/dev/null
    fi
    comes_true 12 job_has_ended || { fail "$what: the job does not exit"; kill -KILL -- -"$job_pid"; }
    took=$(($(now_us) - since))
    status=0
    wait "$job_pid" 2>/dev/null || status=$?
    comes_true 3 nothing_is_left || fail "$what leaves: $(left | head -n 3)"
    foresee "$signal" "$target"
    if ((status == 0 && wanted != 0)); then  # the job ended before the signal
      grep -qx '4 cores agree' "$scratch/out" || fail "$what: status 0, $(cat "$scratch/out" "$scratch/err")"
      continue
    fi
    ((status == wanted)) || fail "$what: status $status, expected $wanted: $(cat "$scratch/err")"
    if ((wanted == 0)); then
      [[ $signal == USR1 || ! -s $scratch/err ]] || fail "$what: $(cat "$scratch/err")"
      grep -qx '4 cores agree' "$scratch/out" || fail "$what: $(cat "$scratch/out")"
      continue
    fi
    ((hits += 1))
    [[ $(cat "$scratch/err") == "$line" || ($early && ! -s $scratch/err) ]] ||
      fail "$what: $(cat "$scratch/err"), expected $line"
    ((took <= 2000000)) || fail "$what: the job took $took us to exit"
    ((took <= slowest)) || slowest=$took
  done
done
((hits >= 3 * rounds)) || fail "only $hits signals terminated a job in $rounds rounds"
echo "$rounds rounds of $whole_us us, $hits jobs terminated, the slowest $slowest us after the signal"
((failures == 0))
