#!/usr/bin/env bash
# Tests the messages and exit statuses of the launcher. Builds nothing.
#
#   launcher_test.sh ROOT
set -uo pipefail
root=$1
launcher=$root/grappa
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/checks.sh"
# Hides a batch system under which the test may run.
# shellcheck disable=SC2046
unset $(compgen -v | grep -E '^(SLURM|PBS|LSB|SGE)_')

# expect_usage_error PATTERN COMMAND...: like expect, for bad usage: status 2 and a single line.
expect_usage_error() {
  local pattern=$1 lines
  shift
  expect 2 "$pattern" "$@"
  lines=$("$@" 2>&1 </dev/null | wc -l)
  ((lines == 1)) || fail "'$*' prints $lines lines instead of one"
}

# shellcheck disable=SC2016
program() {
  { echo '#!/bin/bash'; echo 'core=${GRAPPA_JOB#*:}${OMPI_COMM_WORLD_RANK-}'; cat; } >"$scratch/$1"
  chmod +x "$scratch/$1"
}

program 'a program' <<<'echo "core $core: $*"'
# Cores other than 0 wait: mpirun kills the other cores when the first core exits.
program seven <<<'[[ $core == 0 ]] || sleep 60; echo "one line" >&2; exit 7'
program one_dies <<<'[[ $core != 1 ]] || kill -KILL $$; sleep 60'
program environment <<<'[[ $1 == "two words" && $2 == "" ]]'

# Without a terminal, a long build prints its progress every 30 s. A script replaces ninja and builds
# nothing. This check runs concurrently with the remaining tests.
clone=$scratch/clone
mkdir -p "$clone/cmake" "$clone/build/release" "$scratch/ninja"
cp "$launcher" "$clone/grappa"
cp "$root/cmake/packages-debian.txt" "$root/cmake/new_project" "$clone/cmake"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$(readlink -f "$clone")" >"$clone/build/release/CMakeCache.txt"
: >"$clone/build/release/build.ninja"
sleep 0.01
echo test >"$clone/build/.packages"
program ninja/ninja <<'END'
for k in 1 2 3; do echo "[$k/4] Building CXX object a/b$k.o"; done
sleep 31
echo '[4/4] Linking CXX executable bin/b'
END
(
  failures=0
  expect 0 $'^grappa: building .1/4.\ngrappa: building .4/4.$' \
    env PATH="$scratch/ninja:$PATH" "$clone/grappa" build
  exit $failures
) &
long_build=$!

# Usage.
expect 2 'Usage:' "$launcher"
expect 0 'Usage:' "$launcher" help
expect_usage_error 'no command fly' "$launcher" fly
expect_usage_error 'no program given' "$launcher" run
expect_usage_error 'no program given' "$launcher" run -n 2
expect_usage_error '-n needs a value' "$launcher" run -n
expect_usage_error 'invalid value "0"' "$launcher" run -n 0 "$scratch/seven"
expect_usage_error 'invalid value "two"' "$launcher" run -n two "$scratch/seven"
expect_usage_error 'unknown option --cores' "$launcher" run --cores 2 "$scratch/seven"
expect_usage_error 'exclude each other' "$launcher" run --hosts a --hostfile b "$scratch/seven"
expect_usage_error 'HOST' "$launcher" run --hosts 'a,,b' "$scratch/seven"
expect_usage_error 'hostfile' "$launcher" run --hostfile "$scratch/absent" "$scratch/seven"
expect_usage_error 'no program .*/absent' "$launcher" run "$scratch/absent"
expect_usage_error 'not an executable' "$launcher" run "$scratch/"
expect_usage_error "the argument ':'" "$launcher" run --world=mpi "$scratch/seven" a : b
expect_usage_error 'no preset' "$launcher" build fast
expect_usage_error 'expected a benchmark, all, compare or figures' "$launcher" bench
expect_usage_error 'expected a benchmark, all, compare or figures' "$launcher" bench --quick sync
expect_usage_error '-n needs a value' "$launcher" bench sync -n
expect_usage_error '-n: invalid value "0"' "$launcher" bench -n0 sync
expect_usage_error '-n: invalid value "two"' "$launcher" bench sync -n two
expect_usage_error '-n requires the name of one benchmark, not all' "$launcher" bench all -n 2
expect_usage_error '-n requires the name of one benchmark, not figures' "$launcher" bench figures -n 2
expect_usage_error 'expected two result files' "$launcher" bench compare one.json
if [[ -f $root/build/release/benches.txt ]]; then
  expect_usage_error 'no benchmark nosuch; available benchmarks: .*sync' "$launcher" bench nosuch
  expect_usage_error '--json needs a value' "$launcher" bench all --json
  expect_usage_error 'expected a writable folder' "$launcher" bench all --json="$launcher"
  expect_usage_error '--json needs a value' "$launcher" bench figures --json
  expect_usage_error 'expected a writable folder' "$launcher" bench figures --json="$launcher"
  expect_usage_error 'expected a writable folder' "$launcher" bench figures --simulate --json="$launcher"
fi
if [[ -f $root/build/release/programs.txt ]]; then
  expect_usage_error 'no program nosuch; available programs: ' "$launcher" run nosuch
fi

# Only the output of the program is printed. tests/launcher has more tests for one host.
expect 0 '^core 0: --flag two  words$' "$launcher" run -n 1 "$scratch/a program" --flag 'two  words'
expect 0 'core 2: -n 9' "$launcher" run -n 3 "$scratch/a program" -n 9
processors=$(env -u OMP_NUM_THREADS nproc)
cores_of() { "$@" "$scratch/a program" | wc -l; }
expect 0 "^$processors\$" cores_of env OMP_NUM_THREADS=1 "$launcher" run
expect 0 '^3$' cores_of "$launcher" run --hosts localhost:3
echo 'localhost max_slots=8 slots=3' >"$scratch/hosts"
expect 0 '^3$' cores_of "$launcher" run --hostfile "$scratch/hosts"
expect 7 '^one line$' "$launcher" run --hosts localhost:3 "$scratch/seven"  # without a message of the launcher
# (mpirun does not always report which process without MPI was killed.)
expect 137 '^(grappa: core 1 on [^ ]+ was killed by signal 9 .SIGKILL.)?$' \
  "$launcher" run --hosts localhost:3 "$scratch/one_dies"
expect 0 '^$' "$launcher" run -n 2 "$scratch/environment" 'two words' ''
expect 7 '^one line$' "$launcher" run -n 2 "$scratch/seven"

# Concurrent jobs do not share the default folder of Open MPI, which an exiting job would remove while
# another job starts. In this test, files with the names of that folder prevent its creation.
mkdir "$scratch/temporary"
: >"$scratch/temporary/ompi.$HOSTNAME.$EUID"
: >"$scratch/temporary/ompi.${HOSTNAME%%.*}.$EUID"
expect 0 'core 1: x' env TMPDIR="$scratch/temporary" "$launcher" run --world=mpi -n 2 "$scratch/a program" x
[[ -z $(find "$scratch/temporary" -mindepth 1 ! -name 'ompi.*') ]] || fail "a job leaves files"

# The launcher works in any folder and through a link.
ln -s "$launcher" "$scratch/link"
(
  cd / && expect 0 'core 0' "$scratch/link" run -n 1 "$scratch/a program"
  exit $failures
)
failures=$?

# The launcher passes the allocation of a batch system to mpirun. A script replaces mpirun and prints its
# arguments.
mkdir "$scratch/bin"
program bin/mpirun <<<'printf "[%s]" "${@//*\//}"; echo " pml=${OMPI_MCA_pml-}"'
program bin/srun </dev/null
# allocated STATUS OUTPUT VARIABLE=VALUE... OPTION...: checks the arguments of mpirun.
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
    fail "with ${variables[*]} and '$*': status $status and '$output', expected $wanted and '$said'"
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
allocated 2 "grappa: srun started the launcher 4 times, and each launcher would start a job: call the \
launcher once, in sbatch or salloc, or start the program with srun --mpi=pmix" "${slurm[@]}" SLURM_STEP_NUM_TASKS=4
allocated 0 '[--host][n2:3,n1:2] pml=' PBS_JOBID=7 PBS_NODEFILE="$scratch/nodes"
allocated 0 '[--host][n2:3,n1:2][-n][4] pml=' PBS_JOBID=7 PBS_NODEFILE="$scratch/nodes" -n 4
allocated 2 'grappa: PBS_NODEFILE: cannot read "", expected the list of hosts that PBS allocated' PBS_JOBID=7
allocated 2 "grappa: PBS_NODEFILE: cannot read \"$scratch/absent\", expected the list of hosts that PBS allocated" \
  PBS_JOBID=7 PBS_NODEFILE="$scratch/absent"
allocated 2 "grappa: PBS_NODEFILE: the file $scratch/no_nodes contains no host" PBS_JOBID=7 \
  PBS_NODEFILE="$scratch/no_nodes"
allocated 0 '[--host][n2:3,n1:2] pml=' LSB_JOBID=7 LSB_DJOB_HOSTFILE="$scratch/nodes"
allocated 2 'grappa: LSB_DJOB_HOSTFILE: cannot read "", expected the list of hosts that LSF allocated' LSB_JOBID=7
allocated 0 ' pml=' SGE_ROOT=/ PE_HOSTFILE="$scratch/nodes"
allocated 0 '[--oversubscribe][-n][2][--bind-to][none] pml=ob1' -n 2 --shared --world=mpi
rm "$scratch/bin/srun"
if ! type -P srun >/dev/null; then
  allocated 2 "grappa: srun not found; Open MPI needs srun to reach the other hosts of the Slurm job" \
    "${slurm[@]}"
  allocated 0 ' pml=' SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1
fi

# The launcher reports a lost host in one line, and removes a spurious warning.
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
expect 205 $'^grappa: host n2 is lost: [^\n]*$' env PATH="$scratch/bin:$PATH" "$launcher" run --world=mpi "$scratch/seven"

wait $long_build || failures=$((failures + 1))
((failures == 0)) || { echo "$failures failures"; exit 1; }
