#include "system/net/world.hpp"

#include "system/base/check.hpp"
#include "system/base/input_error.hpp"
#include "system/base/units.hpp"
#include "system/net/shm_link.hpp"

#include <algorithm>
#include <cstdlib>

namespace Grappa::detail {

Topology the_topology;
void (*before_failure)() = nullptr;
const Topology* the_known_topology = GRAPPA_ABSENT(const Topology);
GRAPPA_CORE_LOCAL(int64_t) the_running_core = kNotRunning;
GRAPPA_CORE_LOCAL(int64_t) the_direct_core = kNotRunning;

void refuse_core(int64_t core) {
  GRAPPA_CHECK(false) << "invalid core " << core << ", the job has " << topology().cores
                      << " cores: use a number from 0 to " << topology().cores - 1;
  std::abort();  // not reached, but CHECK is not [[noreturn]]
}

Topology topology_from_first_cores(const std::vector<Core>& first_cores, Core mycore) {
  const Core first = first_cores[static_cast<size_t>(mycore)];
  Topology topology;
  topology.cores = static_cast<Core>(first_cores.size());
  topology.machine_cores = topology.cores;
  topology.mycore = mycore;
  topology.locales = 0;
  for (Core core = 0; core < topology.cores; ++core) {
    const Core its_first = first_cores[static_cast<size_t>(core)];
    topology.locale_of.push_back(its_first == core
                                     ? topology.locales++
                                     : topology.locale_of[static_cast<size_t>(its_first)]);
    if (core == mycore) topology.locale_mycore = static_cast<Core>(topology.locale_members.size());
    if (its_first == first) topology.locale_members.push_back(core);
  }
  topology.mylocale = topology.locale_of[static_cast<size_t>(mycore)];
  topology.locale_cores = static_cast<Core>(topology.locale_members.size());
  return topology;
}

/// The texts are sent in pieces, which limits the memory on core 0 (not measured).
std::vector<std::string> World::gather_texts(const std::string& mine) {
  constexpr size_t kTextPieceBytes = 4096;
  const std::vector<uint64_t> lengths = all_gather(uint64_t{mine.size()});
  const uint64_t longest = *std::max_element(lengths.begin(), lengths.end());
  std::string padded = mine;
  padded.resize(longest);
  std::vector<std::string> texts(topology().mycore == 0 ? lengths.size() : 0);
  for (uint64_t at = 0; at < longest; at += kTextPieceBytes) {
    const size_t bytes = std::min<size_t>(kTextPieceBytes, longest - at);
    const std::vector<char> pieces = gather(&padded[at], bytes, false);
    for (size_t core = 0; core < texts.size(); ++core) {
      if (at >= lengths[core]) continue;
      texts[core].append(&pieces[core * bytes], std::min<size_t>(bytes, lengths[core] - at));
    }
  }
  return texts;
}

std::unique_ptr<LocaleLink> World::make_near_link(const LinkOptions& options) {
  const auto entries = [](uint64_t buffers) {
    return static_cast<uint32_t>(next_power_of_two(buffers));
  };
  return std::unique_ptr<LocaleLink>(
      new ShmLink(ShmLayout{topology().locale_cores, options.buffers, options.buffer_bytes,
                            entries(options.ring_entries), entries(options.buffers)}));
}

std::unique_ptr<Link> World::make_far_link(const LinkOptions&) {
  GRAPPA_CHECK(false) << "a job on one host has one locale";
  return nullptr;
}

std::unique_ptr<World::Sum> World::begin_sum(uint64_t* values, size_t n, Sequence sequence) {
  bool& summing = summing_[static_cast<int>(sequence)];
  GRAPPA_CHECK(n <= kMostSummands && !summing);
  summing = true;
  start_sum(values, n, sequence);
  return std::unique_ptr<Sum>(new Sum(this, sequence));
}

World::Sum::~Sum() {
  while (!done()) {}
  world_->summing_[static_cast<int>(sequence_)] = false;
}

uint64_t World::min(uint64_t value) {
  const std::vector<uint64_t> values = all_gather(value);
  return *std::min_element(values.begin(), values.end());
}

namespace {

/// A plain pointer, because a forked child of the program must not destroy the world at exit.
World* the_world = nullptr;

/// Returns true if MPI will find other processes of this job, by the criteria of Open MPI 4.1.
/// `srun` without PMI sets only its own variables, and Open MPI then reports what is missing. A
/// Slurm batch script is not a step, and an interactive shell is a step of one task.
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
  if (const char* description = std::getenv(kSimulationVariable)) {
    if (choice == WorldChoice::Mpi) input_error("--world=mpi: a simulation has no MPI");
    the_world = simulate(description, job).release();
    return;
  }
  if (job.memory != nullptr) {
    if (choice == WorldChoice::Mpi) {
      input_error(
          "--world=mpi was found by the program but not by the launcher: "
          "pass it on the command line, after the name of the program");
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
