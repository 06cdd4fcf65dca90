#include "system/net/world.hpp"

#include "system/base/check.hpp"
#include "system/base/input_error.hpp"
#include "system/net/inherited_job.hpp"

#include <algorithm>
#include <cstdlib>

namespace Grappa::detail {

Topology the_topology;
const Topology* the_known_topology = GRAPPA_ABSENT(const Topology);
GRAPPA_CORE_LOCAL(int64_t) the_running_core = kNotRunning;
GRAPPA_CORE_LOCAL(int64_t) the_direct_core = kNotRunning;

void refuse_core(int64_t core) {
  GRAPPA_CHECK(false) << "invalid core " << core << ", the job has " << topology().cores
                      << " cores: use a number from 0 to " << topology().cores - 1;
  std::abort();  // not reached, but CHECK is not [[noreturn]]
}

World::~World() = default;
World::Sum::~Sum() = default;

std::string World::refusal(int) const { return ""; }

uint64_t World::min(uint64_t value) {
  const std::vector<uint64_t> values = all_gather(value);
  return *std::min_element(values.begin(), values.end());
}

namespace {

/// A plain pointer, because a forked child of the program must not destroy the world at exit.
World* the_world = nullptr;

/// Returns true if MPI will find other processes of this job, by the criteria of Open MPI 4.1.
/// mpirun and `srun --mpi=pmix` set PMIX_RANK; older versions of PMI set PMI_RANK. `srun` without
/// either sets only its own variables, and Open MPI then reports what is missing. A Slurm batch
/// script is not a step, and an interactive shell is a step of one task.
bool started_by_mpi_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  return std::getenv("SLURM_STEP_ID") != nullptr && tasks != nullptr && std::atoi(tasks) > 1;
}

}  // namespace

void start_world(WorldChoice choice, int* argc, char** argv[]) {
  GRAPPA_CHECK(the_world == nullptr) << "the process already has a world";
  const InheritedJob& job = inherited_job();
  if (!job.error.empty()) input_error(job.error);
  if (job.memory != nullptr) {
    if (choice == WorldChoice::Mpi) {
      input_error(
          "--world=mpi was found by the program but not by the launcher: pass it on the command "
          "line, after the name of the program");
    }
    the_world = make_shm_world(job.memory, job.core).release();
  } else if (choice == WorldChoice::Mpi || started_by_mpi_launcher()) {
    the_world = make_mpi_world(argc, argv).release();
  } else {
    the_world = make_shm_world().release();
  }
}

void finish_world() {
  delete the_world;
  the_world = nullptr;
}

World& world() {
  GRAPPA_DCHECK(the_world != nullptr);
  return *the_world;
}

}  // namespace Grappa::detail
