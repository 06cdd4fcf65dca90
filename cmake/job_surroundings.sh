# What job looks at before it starts one: the processors of this host, the batch system that it runs
# under, and whether there are the descriptors, the address space and the room for files that a job
# needs. It also removes what a job leaves of those files. For job to source, which has job_parse and
# job_usage_error.
# shellcheck shell=bash

# How many processors this process may use. nproc alone would believe OMP_NUM_THREADS.
job_processors() { env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc "$@"; }

# Finds out which batch system, if any, has allocated processors: sets job_allocation to its name, and
# job_allocated to the hosts with slots where Open MPI may be built without knowing that system.
job_find_allocation() {
  local list=''
  if [[ ${SLURM_JOB_ID-} ]]; then
    job_allocation=Slurm
    # Of a step that srun has started; what sbatch and salloc run is none.
    [[ ${SLURM_STEP_NUM_TASKS-1} == 1 ]] ||
      job_usage_error "srun has started this $SLURM_STEP_NUM_TASKS times, and each would start a job;" \
        "call it once, in sbatch or salloc, or have srun --mpi=pmix start the program itself"
    if [[ ${SLURM_JOB_NUM_NODES-1} != 1 ]] && ! type -P srun >/dev/null; then
      job_usage_error "srun was not found, by which Open MPI reaches the other hosts of Slurm's job"
    fi
  elif [[ ${PBS_JOBID-} ]]; then
    job_allocation=PBS list=PBS_NODEFILE
  elif [[ ${LSB_JOBID-} ]]; then
    job_allocation=LSF list=LSB_DJOB_HOSTFILE
  elif [[ ${SGE_ROOT-} && ${PE_HOSTFILE-} ]]; then
    job_allocation='Grid Engine'
  fi
  [[ $list ]] || return 0
  local file=${!list-}
  [[ -f $file && -r $file ]] ||
    job_usage_error "this runs under $job_allocation, but $list names no list of hosts"
  # A line for each slot.
  job_allocated=$(awk '
    NF { if (!slots[$1]++) hosts[++n] = $1 }
    END { for (k = 1; k <= n; ++k) printf "%s%s:%d", (k == 1 ? "" : ","), hosts[k], slots[hosts[k]] }
  ' "$file")
  [[ $job_allocated ]] || job_usage_error "$list, the file $file, names no host"
}

# What this host must have for its cores of a job, as many as if all hosts had the same number, and for
# mpirun, which speaks to all hosts. With less, Open MPI 4.1 hangs, is killed, or fills a page. What a
# batch system has allocated is its affair.
job_check_host() {
  local cores
  [[ $hosts ]] || return 0
  cores=$(((job_cores + hosts - 1) / hosts))
  job_check_descriptors "$cores" "$hosts"
  job_check_address_space "$cores"
  job_check_folders "$cores"
}

# mpirun takes 32 descriptors and four for each core of this host, besides those that are open already.
# A limit that may be raised is.
job_check_descriptors() {
  local cores=$1 hosts=$2 limit open needed
  limit=$(ulimit -Sn)
  open=(/proc/$$/fd/*)
  needed=$((36 + 4 * cores + 4 * hosts + ${#open[@]}))
  [[ $limit != unlimited ]] && ((limit < needed)) || return 0
  ulimit -Sn "$needed" 2>/dev/null ||
    job_usage_error "a job of $cores cores needs $needed file descriptors, and may open $limit:" \
      "raise that limit (ulimit -n)"
}

# Libraries and threads take most of it; each core maps the message buffers of all. The more cores, the
# larger these: if it is still too little, the runtime says so.
job_check_address_space() {
  local cores=$1 limit needed
  limit=$(ulimit -Sv)
  needed=$((440000 + 21000 * cores))
  [[ $limit == unlimited ]] || ((limit >= needed)) ||
    job_usage_error "a job of $cores cores needs $needed KiB of address space for each process," \
      "and may have $limit: raise that limit (ulimit -v)"
}

# KiB that are free in a folder; 0 if no file can be made there.
job_free_kib() {
  local blocks=0 bytes=0
  [[ ! -d $1 || ! -w $1 || ! -x $1 ]] || read -r blocks bytes < <(stat -f -c '%a %S' -- "$1") || true
  echo $((blocks * bytes / 1024))
}

# Sets job_folder to where Open MPI puts its files, by the variables that it looks at itself.
job_find_folder() {
  local from=TMPDIR variable
  job_folder=/tmp
  for variable in TMP TEMP TMPDIR OMPI_MCA_orte_tmpdir_base; do
    [[ -z ${!variable-} ]] || job_folder=${!variable} from=$variable
  done
  [[ -d $job_folder ]] || job_usage_error "$from is $job_folder, which is no folder: $job_choose_folder"
  [[ -w $job_folder && -x $job_folder ]] ||
    job_usage_error "no file can be made in $job_folder: make it writable, or $job_choose_folder"
}

job_choose_folder="name another folder for temporary files in TMPDIR"

# Open MPI needs 9 MiB for its files, and 4 MiB for each core in /dev/shm, or with the files too. Sets
# job_shared_folder to where that goes, if it is needed.
job_check_folders() {
  local cores=$1 needed free
  job_shared_folder=/dev/shm
  needed=$((9216 + 8 * cores))
  if (($(job_free_kib $job_shared_folder) < 4100 * cores)); then
    job_shared_folder=$job_folder
    needed=$((needed + 4100 * cores))
  fi
  free=$(job_free_kib "$job_folder")
  ((free >= needed)) ||
    job_usage_error "$job_folder has room for $free KiB, and a job of $cores cores needs $needed KiB" \
      "there: make room, or $job_choose_folder"
  ((cores > 1)) || job_shared_folder=''
}

# Makes folders of this job's own in those two. Jobs of a user on a host would else share one for Open
# MPI's files: one that ends removes it while another is about to use it, which then ends with a page.
# And shared memory has names there that can be guessed, and may outlive a core that is killed. Of other
# hosts only Open MPI knows, and there it would not remove its folder: several hosts have no such ones.
job_make_folders() {
  [[ ! $job_hosts$job_hostfile$job_allocation ]] || return 0
  job_files=$(job_make_folder "$job_folder") || exit 2
  export OMPI_MCA_orte_tmpdir_base=$job_files
  if [[ $job_shared_folder && -z ${OMPI_MCA_btl_vader_backing_directory-} ]]; then
    job_segments=$(job_make_folder "$job_shared_folder") || exit 2
    export OMPI_MCA_btl_vader_backing_directory=$job_segments
  fi
}

job_make_folder() {
  mktemp -d "$1/grappa-XXXXXXXXXXXX" || job_usage_error "no folder can be made in $1"
}

# What mpirun, whose process this was, has left on this host.
job_remove_files() {
  rm -rf -- ${job_files:+"$job_files"} ${job_segments:+"$job_segments"}
  [[ ! $job_files ]] || return 0
  local session
  for session in "$job_folder/ompi."*".$EUID/pid.$$"; do
    [[ ! -d $session ]] || rm -rf -- "$session"
    rmdir -- "${session%/*}" 2>/dev/null || true
  done
}
