#!/usr/bin/env bash
# The command line of a job, its exit status, and the error line of the launcher.
#
#   statuses_test.sh ACTOR JOB
set -uo pipefail
actor=$(realpath -- "$1") job=$(realpath -- "$2")
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"
# Hides a batch system under which the test may run.
# shellcheck disable=SC2046
unset $(compgen -v | grep -E '^(SLURM|PBS|LSB|SGE)_')

# ends STATUS OUTPUT ACTION...: a job of three cores exits with STATUS and prints exactly OUTPUT.
ends() {
  local wanted=$1 said=$2 output status=0
  shift 2
  output=$(timeout 30 "$job" -n 3 --shared "$actor" "$@" 2>&1 </dev/null) || status=$?
  ((status == wanted)) || fail "'$*': status $status, expected $wanted: $output"
  [[ $output == "$said" ]] || fail "'$*': expected output '$said', got: $output"
}

# refuses SENTENCE ARGUMENT...
refuses() {
  local said=$1
  shift
  expect 2 "^grappa: $said\$" timeout 30 "$job" "$@"
}

refuses 'no program given'
refuses 'no program given' -n 2
refuses '-n needs a value' -n
refuses '--hosts needs a value' --hosts= "$actor"
for number in 0 two -1 32768 1000000 2x ''; do
  [[ $number ]] || continue
  refuses "-n: invalid value \"$number\", expected a number of cores from 1 to 32767" -n "$number" "$actor"
done
refuses '--world: invalid value "tcp", expected shm or mpi' --world=tcp "$actor"
refuses 'unknown option --cores' --cores 2 "$actor"
refuses '--hosts and --hostfile exclude each other' --hosts a --hostfile b "$actor"
for hosts in a,,b ,a a, 'a b' a:0 a:x; do
  refuses "--hosts: invalid value \"$hosts\", expected HOST.:SLOTS.,..." --hosts "$hosts" "$actor"
done
refuses "cannot read the hostfile $scratch/absent" --hostfile "$scratch/absent" "$actor"
refuses '--world=shm supports one host.*' --world=shm --hosts a "$actor"
refuses '--world=shm supports one host.*' --world=shm "$actor" --cores_per_locale=2
refuses "no program $scratch/absent" "$scratch/absent"
refuses "$scratch is not an executable" "$scratch"
refuses 'no program no_such_program in PATH' no_such_program
echo 'some text' >"$scratch/text" && chmod +x "$scratch/text"
refuses "$scratch/text is neither a program nor a script that begins .*" -n 3 "$scratch/text"
printf '#!/no/such/shell\n' >"$scratch/script" && chmod +x "$scratch/script"
refuses "cannot start $scratch/script: its interpreter.*" -n 3 "$scratch/script"

# Grappa programs.
ends 0 '' run finalize
ends 0 '' run finalize exit=0
ends 7 '' run finalize 2:exit=7
ends 7 'late' run finalize 2:exit=7 0:sleep=0 0:say=late  # the other cores exit by themselves
ends 5 'grappa: core 1 exited with status 5 without Grappa::finalize' run 1:exit=5 sleep=60
ends 1 'grappa: core 1 exited with status 0 without Grappa::finalize' run 1:exit=0 sleep=60
ends 1 'grappa: core 1 exited with status 0 without Grappa::init' 1:exit=0 sleep=1 run sleep=60
ends 137 'grappa: core 2 was killed by signal 9 (SIGKILL)' run 2:raise=9 sleep=60
ends 139 'grappa: core 0 was killed by signal 11 (SIGSEGV)' run 0:raise=11 sleep=60
ends 134 'why' run 1:report 1:complain=why 1:raise=6 sleep=60  # the runtime reported the failure
ends 2 'why' run 1:report 1:complain=why 1:exit=2 sleep=60
ends 137 'grappa: core 2 was killed by signal 9 (SIGKILL)' run finalize 2:raise=9

# Other programs.
ends 0 ''
ends 3 '' 1:exit=3 sleep=60
ends 137 'grappa: core 1 was killed by signal 9 (SIGKILL)' 1:raise=9 sleep=60
expect 0 $'^x  y\nx  y$' "$job" -n 2 echo 'x  y'
expect 0 "^$(nproc)\$" bash -c "$job echo | wc -l"
expect 0 '^1$' bash -c "taskset -c 0 $job echo | wc -l"

# Only core 0 reads stdin.
output=$(echo hello | "$job" -n 2 bash -c 'read -r line; echo "${GRAPPA_JOB#*:} got $line"' | sort)
[[ $output == $'0 got hello\n1 got ' ]] || fail "expected stdin at core 0 only: $output"

# A job leaves no process: neither a core nor a child of a core.
mine=$scratch/actor_$$
ln -s "$actor" "$mine"
for way in 'run finalize' 'run 1:exit=5' 'run 1:raise=9'; do
  # shellcheck disable=SC2086
  timeout 30 "$job" -n 3 --shared "$mine" child=60 $way >/dev/null 2>&1
  ! pgrep -f "^$mine" >/dev/null || fail "'$way' leaves processes: $(pgrep -af "^$mine")"
done

# If there are enough processors, each core is bound to a separate processor in the launcher's affinity mask.
affinities() { "$@" bash -c 'taskset -cp $$' | sed 's/.*: //' | sort -n | paste -sd ' '; }
processors=$(nproc)
if ((processors >= 2)); then
  read -r first second rest < <(affinities "$job" -n 2)
  [[ $first && $second && $first != "$second" && ! $rest ]] || fail "two cores are bound to $first and $second"
  [[ $(affinities taskset -c 1 "$job" -n 1) == 1 ]] || fail 'a core is outside the affinity mask of the launcher'
  all=$(affinities "$job" -n 1 --shared)
  [[ $(affinities "$job" -n $((processors + 1)) | tr ' ' '\n' | sort -u) == "$all" ]] ||
    fail 'cores are bound although there are too few processors'
fi

expect 0 '^1$' "$job" -n 1 --check printenv GRAPPA_CHECK
expect 1 '^$' env -u GRAPPA_CHECK "$job" -n 1 printenv GRAPPA_CHECK

# Jobs that mpirun starts.
if type -P mpirun >/dev/null; then
  for arguments in '--cores_per_locale=1' '--cores-per-locale 1' '-cores_per_locale=2' '--world=mpi'; do
    # shellcheck disable=SC2086
    expect 0 "^${arguments// /.} 0\$" "$job" -n 1 --shared bash -c 'echo "$@" $OMPI_COMM_WORLD_RANK' bash $arguments
  done
  expect 0 '^0$' "$job" -n 1 --world=mpi --shared printenv OMPI_COMM_WORLD_RANK
  expect 1 '^$' "$job" -n 1 --world=mpi --shared printenv GRAPPA_JOB
fi
expect 1 '^$' env -u OMPI_COMM_WORLD_RANK "$job" -n 1 printenv OMPI_COMM_WORLD_RANK --cores_per_locale=0
((failures == 0))
