#!/usr/bin/env bash
# Which World connects the cores of a job, depending on how the program is started, and that it works.
#
#   worlds_test.sh PROGRAM CALLS_MPI JOB
set -uo pipefail
program=$1 calls_mpi=$2 job=$3
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"
unset $(compgen -v | grep -E '^(SLURM|OMPI|PMIX|PMI)_') GRAPPA_WORLD GRAPPA_JOB

in_job() { "$job" -n "$1" --shared "${@:2}"; }
# hidden CORES PROGRAM FLAG: the launcher does not see the flag.
# shellcheck disable=SC2016
hidden() { HIDDEN=$3 in_job "$1" bash -c 'exec "$0" "$HIDDEN"' "$2"; }
by_mpirun() { "$job" -n "$1" --shared --world=mpi "${@:2}"; }

# One host: no MPI function is called, because MPI is not loaded in the process.
expect 0 '^counted 1 cores, MPI is not loaded$' "$program"
expect 0 '^counted 3 cores, MPI is not loaded$' in_job 3 "$program"
expect 0 '^counted 8 cores, MPI is not loaded$' in_job 8 "$program"
expect 0 'MPI is not loaded' in_job 2 "$program" --report --report_json="$scratch/report"

# MPI: by mpirun, by the flag, by the variable.
expect 0 '^counted 3 cores, MPI is loaded$' by_mpirun 3 "$program"
expect 0 '^counted 2 cores, MPI is loaded$' by_mpirun 2 "$program" --cores_per_locale=1
expect 0 '^counted 1 cores, MPI is loaded$' "$program" --world=mpi
expect 0 '^counted 1 cores, MPI is loaded$' "$program" -world mpi
expect 0 '^counted 1 cores, MPI is loaded$' env GRAPPA_WORLD=mpi "$program"
expect 0 '^counted 1 cores, MPI is not loaded$' env GRAPPA_WORLD=mpi "$program" --world=automatic
expect 0 '^counted 1 cores, MPI is not loaded$' "$program" -- --world=mpi

# A batch script of Slurm and an interactive shell are not one of several tasks started by srun.
expect 0 'MPI is not loaded' \
  env SLURM_JOB_ID=1 SLURM_NTASKS=4 SLURM_PROCID=0 SLURM_NODELIST=here "$program"
expect 0 'MPI is not loaded' \
  env SLURM_JOB_ID=1 SLURM_NTASKS=4 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=1 "$program"

# Errors are reported in one line, on any number of cores.
expect 2 '^[a-z]*: --cores_per_locale needs --world=mpi: [^'$'\n'']*$' \
  hidden 3 "$program" --cores_per_locale=1
expect 2 '^[a-z]*: flag --world, or GRAPPA_WORLD: "tcp" must be automatic or mpi$' \
  in_job 3 "$program" --world=tcp
expect 2 '"tcp" must be automatic or mpi' env GRAPPA_WORLD=tcp "$program"
echo --world=mpi >"$scratch/flags"
expect 2 '^[a-z]*: flag --world: give it on the command line or as GRAPPA_WORLD, not in a file' \
  in_job 3 "$program" --flagfile="$scratch/flags"
expect 2 '^[a-z]*: --world=mpi was found by the program but not by the launcher' \
  hidden 1 "$program" --world=mpi
expect 2 '^[a-z]*: GRAPPA_JOB="7:x": expected DESCRIPTOR:CORE; [^'$'\n'']*$' \
  env GRAPPA_JOB=7:x "$program"

# A program that calls MPI.
expect 2 '^[a-z_]*: this program calls MPI \(MPI_Comm_rank\): start it with --world=mpi$' "$calls_mpi"
expect 2 '^[a-z_]*: this program calls MPI \(MPI_Comm_rank\): start it with --world=mpi$' \
  in_job 3 "$calls_mpi"
expect 0 '^rank 0 is core 0$' "$calls_mpi" --world=mpi
expect 0 '^rank 0 is core 0$' by_mpirun 2 "$calls_mpi"

# A child process of a core is not a core.
expect 0 '^counted 1 cores, MPI is not loaded$' in_job 1 "$program" children

# SIGUSR1 does not kill a core that has not reached init.
expect 0 '^counted 1 cores, MPI is not loaded$' "$program" signal_before_init
expect 0 '^counted 2 cores, MPI is loaded$' by_mpirun 2 "$program" signal_before_init

# One report, even if all cores fail, before or after init.
for mode in fail fail_before_init; do
  output=$(in_job 4 "$program" $mode 2>&1 </dev/null)
  reports=$(grep -c '^grappa: ' <<<"$output")
  ((reports == 1)) || fail "$mode: $reports reports instead of one: $output"
done
((failures == 0))
