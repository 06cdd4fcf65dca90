#!/usr/bin/env bash
# Kills any core of a job at any moment: the job ends within ten seconds with a status that is not 0
# and one line, which names the core and its host, and nothing stays behind. Moments are uniform over
# the time that the job takes otherwise: start, work and end. Before the job has begun to work there may
# be no line: of a core that has not connected yet mpirun does not always speak.
#
#   kill_moments_test.sh PROGRAM JOB KILLS [SEED]
set -uo pipefail
# shellcheck source=tests/faults/surroundings.sh
source "${BASH_SOURCE[0]%/*}/surroundings.sh"
kills=$3 seed=${4-$((EPOCHSECONDS % 32768))}
RANDOM=$seed
echo "seed $seed"

now_us() { echo "${EPOCHREALTIME/./}"; }
work=(--seconds=0.3 --say=began)

# Sets whole_us to the time that a job takes now, if nobody kills a core.
take_time() {
  local began
  start "${work[@]}"
  began=$(now_us)
  status=0
  wait "$job_pid" || status=$?
  whole_us=$(($(now_us) - began))
  agrees 4
}
take_time

# Sets victim to the process of one of the cores, as soon as there is any, and core to its number;
# false if the job has ended. Open MPI's number is in its environment.
choose_victim() {
  local alive
  while mapfile -t alive < <(cores_alive) && ((${#alive[@]} == 0)); do
    ! job_has_ended || return 1
  done
  victim=${alive[RANDOM % ${#alive[@]}]}
  core=$(tr '\0' '\n' 2>/dev/null <"/proc/$victim/environ" | sed -n 's/^OMPI_COMM_WORLD_RANK=//p')
  [[ $core ]]
}

# The line of a core that somebody has killed.
one_line() {
  if [[ ! -s $scratch/err && ! -s $scratch/out ]]; then
    ((silent += 1))
    return
  fi
  (($(wc -l <"$scratch/err") == 1)) &&
    grep -Eqx "job: core $core on [^ ]+ was ended by signal 9 \(Killed\), by somebody" "$scratch/err"
}

slowest=0 late=0 silent=0
for ((killed = 0; killed < kills;)); do
  moment=$(((RANDOM * 32768 + RANDOM) % whole_us))
  start "${work[@]}"
  sleep "$((moment / 1000000)).$(printf '%06d' $((moment % 1000000)))"
  choose_victim && kill -KILL "$victim" 2>/dev/null
  since=$(now_us)
  comes_true 12 job_has_ended || kill -KILL "$job_pid"
  took=$(($(now_us) - since))
  status=0
  wait "$job_pid" 2>/dev/null || status=$?
  comes_true 3 nothing_is_left || {
    fail "core $core killed at $moment us of $whole_us leaves: $(left | head -n 3)"
    rm -rf "$scratch/files/"*
  }
  if ((status == 0)); then  # the core had ended already
    agrees 4
    ((late += 1))
    ((late <= 3 + kills)) || { fail "$late kills came too late"; break; }
    take_time  # what else the machine does may have changed
    continue
  fi
  ((killed += 1))
  ((took <= 10000000)) || fail "core $core killed at $moment us of $whole_us: the job took $took us to end"
  # While the job starts, mpirun may crash when a core is killed.
  ((status == 137)) || { ((status == 139)) && [[ ! -s $scratch/out ]]; } ||
    fail "core $core killed at $moment us of $whole_us: status $status"
  one_line || fail "core $core killed at $moment us of $whole_us: $(cat "$scratch/err")"
  ((took <= slowest)) || slowest=$took
done
echo "$killed kills in $whole_us us, the slowest end $slowest us after; $silent at the start without" \
  "a line; $late came too late"
((failures == 0))
