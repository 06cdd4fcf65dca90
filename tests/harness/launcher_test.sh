#!/usr/bin/env bash
# What the launcher promises about words, statuses and signals. Builds nothing.
#
#   launcher_test.sh ROOT
set -uo pipefail
root=$1
launcher=$root/grappa
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/checks.sh"
# Whatever batch system this runs under.
# shellcheck disable=SC2046
unset $(compgen -v | grep -E '^(SLURM|PBS|LSB|SGE)_')

# As expect, for bad usage: status 2 and a single line.
expect_usage_error() {
  local pattern=$1 lines
  shift
  expect 2 "$pattern" "$@"
  lines=$("$@" 2>&1 </dev/null | wc -l)
  ((lines == 1)) || fail "'$*' prints $lines lines instead of one"
}

# program NAME <body: makes an executable, whose variables are its own.
# shellcheck disable=SC2016
program() {
  { echo '#!/bin/bash'; cat; } >"$scratch/$1"
  chmod +x "$scratch/$1"
}

program 'a program' <<<'echo "core $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE: $*"'
# The others wait: whoever ends first has mpirun end the rest.
program seven <<<'[[ $OMPI_COMM_WORLD_RANK == 0 ]] || sleep 60; echo "one line" >&2; exit 7'
program one_fails <<<'[[ $OMPI_COMM_WORLD_RANK != 1 ]] || exit 3; sleep 60'
program one_dies <<<'[[ $OMPI_COMM_WORLD_RANK != 1 ]] || kill -KILL $$; sleep 60'
program reads <<<'read -r line; echo "$OMPI_COMM_WORLD_RANK got $line"'
program waits <<<"echo \$\$ >>'$scratch/pids'; exec sleep 60"
program environment <<<'[[ $1 == "two words" && $2 == "" ]]'

# Usage.
expect 2 'Usage:' "$launcher"
expect 0 'Usage:' "$launcher" help
expect_usage_error 'no command fly' "$launcher" fly
expect_usage_error 'no program given' "$launcher" run
expect_usage_error 'no program given' "$launcher" run -n 2
expect_usage_error '-n needs a value' "$launcher" run -n
expect_usage_error "not '0'" "$launcher" run -n 0 "$scratch/seven"
expect_usage_error "not 'two'" "$launcher" run -n two "$scratch/seven"
expect_usage_error 'unknown option --cores' "$launcher" run --cores 2 "$scratch/seven"
expect_usage_error 'exclude each other' "$launcher" run --hosts a --hostfile b "$scratch/seven"
expect_usage_error 'HOST' "$launcher" run --hosts 'a,,b' "$scratch/seven"
expect_usage_error 'hostfile' "$launcher" run --hostfile "$scratch/absent" "$scratch/seven"
expect_usage_error 'no program .*/absent' "$launcher" run "$scratch/absent"
expect_usage_error 'not an executable' "$launcher" run "$scratch/"
expect_usage_error "the argument ':'" "$launcher" run "$scratch/seven" a : b
expect_usage_error 'no preset' "$launcher" build fast
expect_usage_error 'bench takes a benchmark first, or all, compare or figures' "$launcher" bench
expect_usage_error 'bench takes a benchmark first, or all, compare or figures' "$launcher" bench --quick sync
expect_usage_error '-n needs a value' "$launcher" bench sync -n
expect_usage_error "not '0'" "$launcher" bench -n0 sync
expect_usage_error "not 'two'" "$launcher" bench sync -n two
expect_usage_error '-n is for one benchmark, not for all' "$launcher" bench all -n 2
expect_usage_error '-n is for one benchmark, not for figures' "$launcher" bench figures -n 2
expect_usage_error 'takes two result files' "$launcher" bench compare one.json
if [[ -f $root/build/release/benches.txt ]]; then
  expect_usage_error 'no benchmark nosuch; there are .*sync' "$launcher" bench nosuch
  expect_usage_error '--json needs a value' "$launcher" bench all --json
  expect_usage_error 'no folder that can be written to' "$launcher" bench all --json="$launcher"
  expect_usage_error '--json needs a value' "$launcher" bench figures --json
  expect_usage_error 'no folder that can be written to' "$launcher" bench figures --json="$launcher"
fi
if [[ -f $root/build/release/programs.txt ]]; then
  expect_usage_error 'no program nosuch; there are ' "$launcher" run nosuch
fi

# What the program says comes through, and nothing else.
expect 0 '^core 0 of 1: --flag two  words$' "$launcher" run -n 1 "$scratch/a program" --flag 'two  words'
expect 0 'core 2 of 3: -n 9' "$launcher" run -n 3 "$scratch/a program" -n 9
expect 0 "of $(env -u OMP_NUM_THREADS nproc):" env OMP_NUM_THREADS=1 "$launcher" run "$scratch/a program"
expect 0 'of 3:' "$launcher" run --hosts localhost:3 "$scratch/a program"
echo 'localhost max_slots=8 slots=3' >"$scratch/hosts"
expect 0 'of 3:' "$launcher" run --hostfile "$scratch/hosts" "$scratch/a program"
expect 7 '^one line$' "$launcher" run --hosts localhost:3 "$scratch/seven"  # and no comment on it
# (Of processes without MPI mpirun does not always say which one it was.)
gone='^(grappa: core 1 on [^ ]+ was ended by signal 9 .Killed., by somebody)?$'
expect 137 "${gone/')?'/' or for want of memory)?'}" "$launcher" run --hosts localhost:3 "$scratch/one_dies"
expect 0 '^$' "$launcher" run -n 2 "$scratch/environment" 'two words' ''
expect 7 '^one line$' "$launcher" run -n 2 "$scratch/seven"
expect 3 '^$' timeout 30 "$launcher" run -n 2 "$scratch/one_fails"
expect 137 "$gone" timeout 30 "$launcher" run -n 3 "$scratch/one_dies"
output=$(echo hello | "$launcher" run -n 2 "$scratch/reads" | sort)
[[ $output == $'0 got hello\n1 got ' ]] || fail "standard input should reach core 0 only: $output"

# Jobs share no folder for Open MPI's files, which the end of one would remove while another starts:
# here none can be made by the name that it would have.
mkdir "$scratch/temporary"
: >"$scratch/temporary/ompi.$HOSTNAME.$EUID"
: >"$scratch/temporary/ompi.${HOSTNAME%%.*}.$EUID"
expect 0 'core 1 of 2: x' env TMPDIR="$scratch/temporary" "$launcher" run -n 2 "$scratch/a program" x
[[ -z $(find "$scratch/temporary" -mindepth 1 ! -name 'ompi.*') ]] || fail "a job leaves files"

# From anywhere, and by another name.
ln -s "$launcher" "$scratch/link"
ln -s "$root/cmake/job" "$scratch/job"
(
  cd / && expect 0 'core 0' "$scratch/link" run -n 1 "$scratch/a program"
  cd "$scratch" && expect 0 'core 0' bash job -n 1 "$scratch/a program"
  exit $failures
)
failures=$?

# What a batch system has allocated is used as it is. In place of mpirun, something that says how it has
# been called.
mkdir "$scratch/bin"
program bin/mpirun <<<'printf "[%s]" "${@//*\//}"; echo " pml=${OMPI_MCA_pml-}"'
program bin/srun </dev/null
# allocated STATUS OUTPUT VARIABLE=VALUE... OPTION...: the output without what is the same in all.
allocated() {
  local wanted=$1 said=$2 variables=() output status=0
  shift 2
  while [[ ${1-} == *=* ]]; do
    variables+=("$1")
    shift
  done
  output=$(env -u OMPI_MCA_pml "PATH=$scratch/bin:$PATH" "${variables[@]}" \
    "$launcher" run "$@" "$scratch/seven" a=b 2>&1) || status=$?
  output=${output/'[-x][OPAL_OUTPUT_STDERR_FD=2][-x][PMIX_OUTPUT_STDERR_FD=2]'/}
  ((status == wanted)) && [[ ${output/'[seven][a=b]'/} == "$said" ]] ||
    fail "with ${variables[*]} and '$*': status $status, not $wanted, and '$output', not '$said'"
}
slurm=(SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=2 SLURM_NTASKS=64)
printf '%s\n' n2 n1 n2 n2 n1 >"$scratch/nodes"
: >"$scratch/no_nodes"
allocated 0 ' pml=' "${slurm[@]}"
allocated 0 '[-n][5] pml=' "${slurm[@]}" -n 5
allocated 0 '[--oversubscribe][--bind-to][none] pml=' "${slurm[@]}" --shared
allocated 0 '[--host][n9:3][--oversubscribe][-n][3][--bind-to][none] pml=' "${slurm[@]}" \
  --shared --hosts n9:3
allocated 0 ' pml=' SLURM_JOB_ID=7 SLURM_STEP_NUM_TASKS=1 SLURM_NTASKS=64  # srun --pty bash
allocated 2 "grappa: srun has started this 4 times, and each would start a job; call it once, in sbatch \
or salloc, or have srun --mpi=pmix start the program itself" "${slurm[@]}" SLURM_STEP_NUM_TASKS=4
allocated 0 '[--host][n2:3,n1:2] pml=' PBS_JOBID=7 PBS_NODEFILE="$scratch/nodes"
allocated 0 '[--host][n2:3,n1:2][-n][4] pml=' PBS_JOBID=7 PBS_NODEFILE="$scratch/nodes" -n 4
allocated 2 'grappa: this runs under PBS, but PBS_NODEFILE names no list of hosts' PBS_JOBID=7
allocated 2 'grappa: this runs under PBS, but PBS_NODEFILE names no list of hosts' PBS_JOBID=7 \
  PBS_NODEFILE="$scratch/absent"
allocated 2 "grappa: PBS_NODEFILE, the file $scratch/no_nodes, names no host" PBS_JOBID=7 \
  PBS_NODEFILE="$scratch/no_nodes"
allocated 0 '[--host][n2:3,n1:2] pml=' LSB_JOBID=7 LSB_DJOB_HOSTFILE="$scratch/nodes"
allocated 2 'grappa: this runs under LSF, but LSB_DJOB_HOSTFILE names no list of hosts' LSB_JOBID=7
allocated 0 ' pml=' SGE_ROOT=/ PE_HOSTFILE="$scratch/nodes"
allocated 0 '[--oversubscribe][-n][2][--bind-to][none] pml=ob1' -n 2 --shared  # no batch system
rm "$scratch/bin/srun"
if ! type -P srun >/dev/null; then
  allocated 2 "grappa: srun was not found, by which Open MPI reaches the other hosts of Slurm's job" \
    "${slurm[@]}"
  allocated 0 ' pml=' SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1
fi

# mpirun may hang when all cores have ended; one that waits for a core, or to start one, does not. Each
# takes its time.
mkdir "$scratch/hanging" "$scratch/patient" "$scratch/starting"
program hanging/mpirun <<<'(for ((k = 0; k < 200000; ++k)); do :; done); echo "all is done"; exec sleep 60'
program patient/mpirun <<<'sleep 25; echo "all is done"'
program starting/mpirun <<<'exec sleep 25'
(
  failures=0
  expect 137 'all is done.*grappa: all cores have ended, but mpirun hangs' \
    env PATH="$scratch/hanging:$PATH" "$launcher" run -n 2 "$scratch/seven"
  exit $failures
) &
hanging=$!
(
  failures=0
  expect 0 '^all is done$' env PATH="$scratch/patient:$PATH" "$launcher" run -n 2 "$scratch/seven"
  exit $failures
) &
patient=$!
(
  failures=0
  expect 0 '^$' env PATH="$scratch/starting:$PATH" "$launcher" run -n 2 "$scratch/seven"
  exit $failures
) &
starting=$!

# A lost host is told in one line, and a warning that warns of nothing not at all.
dashes=$(printf '%074d' 0 | tr 0 -)
program bin/mpirun <<END
cat >&3 <<'BOX'
[n1:7] plm:rsh: Warning: setpgid(8,8) failed in parent with errno=Permission denied(13)
$dashes
ORTE has lost communication with a remote daemon.

  HNP daemon   : [[1,0],0] on node n1
  Remote daemon: [[1,0],1] on node n2

This is usually due to either a failure of the TCP network
$dashes
BOX
exit 205
END
expect 205 $'^grappa: host n2 is lost: [^\n]*$' env PATH="$scratch/bin:$PATH" "$launcher" run "$scratch/seven"

# A core that is killed while the job starts is told of, its memory that others look for is not; unless
# nobody was killed.
cat >"$scratch/lost_segment" <<END
$dashes
A system call failed during shared memory initialization that should
not have.

  Local host:  n1
  System call: open(2)
  Error:       No such file or directory (errno 2)
$dashes
END
cat >"$scratch/killed" <<END
$dashes
mpirun noticed that process rank 1 with PID 7 on node n1 exited on signal 9 (Killed).
$dashes
[n1:7] 2 more processes have sent help message help-opal-shmem-mmap.txt / sys call fail
[n1:7] Set MCA parameter "orte_base_help_aggregate" to 0 to see all help / error messages
END
program bin/mpirun <<<"cat $scratch/lost_segment $scratch/killed >&3; exit 137"
expect 137 $'^grappa: core 1 on n1 was ended by signal 9 [^\n]*$' \
  env PATH="$scratch/bin:$PATH" "$launcher" run "$scratch/seven"
program bin/mpirun <<<"cat $scratch/lost_segment >&3; exit 1"
expect 1 'System call: open' env PATH="$scratch/bin:$PATH" "$launcher" run "$scratch/seven"

# A signal to the launcher ends every core.
for signal in TERM INT; do
  : >"$scratch/pids"
  env --default-signal=INT "$launcher" run -n 2 "$scratch/waits" &
  job=$!
  for ((i = 0; i < 500; ++i)); do
    (($(wc -l <"$scratch/pids") < 2)) || break
    sleep 0.02
  done
  kill -$signal $job
  wait $job && fail "SIG$signal should make the status a failure"
  while read -r pid; do
    for ((i = 0; i < 250; ++i)); do
      [[ $(ps -o stat= -p "$pid") == [!Z]* ]] || break
      sleep 0.02
    done
    [[ $(ps -o stat= -p "$pid") != [!Z]* ]] || fail "process $pid outlives SIG$signal"
  done <"$scratch/pids"
done

wait $hanging || failures=$((failures + 1))
wait $patient || failures=$((failures + 1))
wait $starting || failures=$((failures + 1))

((failures == 0)) || { echo "$failures failures"; exit 1; }
