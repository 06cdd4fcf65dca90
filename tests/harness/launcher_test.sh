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
  { echo '#!/bin/bash'; echo 'core=${GRAPPA_JOB#*:}${OMPI_COMM_WORLD_RANK-}'; cat; } >"$scratch/$1"
  chmod +x "$scratch/$1"
}

program 'a program' <<<'echo "core $core: $*"'
# The others wait: mpirun ends the rest when the first ends.
program seven <<<'[[ $core == 0 ]] || sleep 60; echo "one line" >&2; exit 7'
program one_dies <<<'[[ $core != 1 ]] || kill -KILL $$; sleep 60'
program environment <<<'[[ $1 == "two words" && $2 == "" ]]'

# A long build prints how far it is every 30 s where nobody watches a terminal. In place of ninja,
# something that builds nothing; its time passes while the rest is tested.
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

# What the program prints comes through, and nothing else. tests/launcher has more of one host.
expect 0 '^core 0: --flag two  words$' "$launcher" run -n 1 "$scratch/a program" --flag 'two  words'
expect 0 'core 2: -n 9' "$launcher" run -n 3 "$scratch/a program" -n 9
processors=$(env -u OMP_NUM_THREADS nproc)
cores_of() { "$@" "$scratch/a program" | wc -l; }
expect 0 "^$processors\$" cores_of env OMP_NUM_THREADS=1 "$launcher" run
expect 0 '^3$' cores_of "$launcher" run --hosts localhost:3
echo 'localhost max_slots=8 slots=3' >"$scratch/hosts"
expect 0 '^3$' cores_of "$launcher" run --hostfile "$scratch/hosts"
expect 7 '^one line$' "$launcher" run --hosts localhost:3 "$scratch/seven"  # and no comment on it
# (mpirun does not always say which process without MPI was killed.)
expect 137 '^(grappa: core 1 on [^ ]+ was killed by signal 9 .SIGKILL.)?$' \
  "$launcher" run --hosts localhost:3 "$scratch/one_dies"
expect 0 '^$' "$launcher" run -n 2 "$scratch/environment" 'two words' ''
expect 7 '^one line$' "$launcher" run -n 2 "$scratch/seven"

# Jobs share no folder for Open MPI's files, which the end of one would remove while another starts:
# here none can be made by the name that it would have.
mkdir "$scratch/temporary"
: >"$scratch/temporary/ompi.$HOSTNAME.$EUID"
: >"$scratch/temporary/ompi.${HOSTNAME%%.*}.$EUID"
expect 0 'core 1: x' env TMPDIR="$scratch/temporary" "$launcher" run --world=mpi -n 2 "$scratch/a program" x
[[ -z $(find "$scratch/temporary" -mindepth 1 ! -name 'ompi.*') ]] || fail "a job leaves files"

# From anywhere, and by another name.
ln -s "$launcher" "$scratch/link"
(
  cd / && expect 0 'core 0' "$scratch/link" run -n 1 "$scratch/a program"
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
allocated 0 '[--oversubscribe][-n][2][--bind-to][none] pml=ob1' -n 2 --shared --world=mpi
rm "$scratch/bin/srun"
if ! type -P srun >/dev/null; then
  allocated 2 "grappa: srun was not found, by which Open MPI reaches the other hosts of Slurm's job" \
    "${slurm[@]}"
  allocated 0 ' pml=' SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1
fi

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
expect 205 $'^grappa: host n2 is lost: [^\n]*$' env PATH="$scratch/bin:$PATH" "$launcher" run --world=mpi "$scratch/seven"

wait $long_build || failures=$((failures + 1))
((failures == 0)) || { echo "$failures failures"; exit 1; }
