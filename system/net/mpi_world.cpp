#include "system/net/mpi_world.hpp"

#include "system/base/check.hpp"
#include "system/net/topology.hpp"

#include <algorithm>

#include <mpi.h>

namespace Grappa {
namespace detail {

Topology the_topology;

}  // namespace detail

namespace {

MPI_Comm votes = MPI_COMM_NULL;

}  // namespace

void mpi_start(int* argc, char** argv[]) {
  int provided = 0;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  GRAPPA_CHECK(size < kMaxCores) << "a job has at most " << kMaxCores - 1 << " cores";
  MPI_Comm_dup(MPI_COMM_WORLD, &votes);
}

void mpi_finish() {
  MPI_Comm_free(&votes);
  MPI_Finalize();
}

void mpi_barrier() { MPI_Barrier(MPI_COMM_WORLD); }

struct MpiSum::State {
  MPI_Request request;
};

MpiSum::MpiSum(uint64_t* values, size_t n, Sequence sequence) : state_(new State) {
  MPI_Iallreduce(MPI_IN_PLACE, values, static_cast<int>(n), MPI_UINT64_T, MPI_SUM,
                 sequence == Sequence::Votes ? votes : MPI_COMM_WORLD, &state_->request);
}

MpiSum::~MpiSum() { MPI_Wait(&state_->request, MPI_STATUS_IGNORE); }

bool MpiSum::done() {
  int done = 0;
  MPI_Test(&state_->request, &done, MPI_STATUS_IGNORE);
  return done != 0;
}

uint64_t mpi_min(uint64_t value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  return value;
}

std::vector<std::string> mpi_gather_texts(const std::string& mine) {
  int size = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const size_t cores = rank == 0 ? static_cast<size_t>(size) : 0;
  const int length = static_cast<int>(mine.size());
  std::vector<int> lengths(cores), offsets(cores);
  MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  int total = 0;
  for (size_t core = 0; core < cores; ++core) {
    offsets[core] = total;
    total += lengths[core];
  }
  std::string all(static_cast<size_t>(total), '\0');
  MPI_Gatherv(mine.data(), length, MPI_CHAR, &all[0], lengths.data(), offsets.data(), MPI_CHAR, 0,
              MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (size_t core = 0; core < cores; ++core) {
    texts.push_back(
        all.substr(static_cast<size_t>(offsets[core]), static_cast<size_t>(lengths[core])));
  }
  return texts;
}

std::vector<char> mpi_all_gather(const void* mine, size_t bytes) {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<char> all(static_cast<size_t>(size) * bytes);
  MPI_Allgather(mine, static_cast<int>(bytes), MPI_BYTE, all.data(), static_cast<int>(bytes),
                MPI_BYTE, MPI_COMM_WORLD);
  return all;
}

Topology discover_topology(int cores_per_locale) {
  int size = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
  int machine_size = 0, machine_rank = 0;
  MPI_Comm_size(machine, &machine_size);
  MPI_Comm_rank(machine, &machine_rank);

  // A locale is named by its first core until all of them are numbered.
  const int first = cores_per_locale > 0 ? machine_rank - machine_rank % cores_per_locale : 0;
  std::vector<int> machine_members(static_cast<size_t>(machine_size));
  MPI_Allgather(&rank, 1, MPI_INT, machine_members.data(), 1, MPI_INT, machine);
  MPI_Comm_free(&machine);
  const int leader = machine_members[static_cast<size_t>(first)];
  std::vector<int> leaders(static_cast<size_t>(size));
  MPI_Allgather(&leader, 1, MPI_INT, leaders.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<int> distinct = leaders;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());

  Topology topology;
  topology.cores = static_cast<Core>(size);
  topology.mycore = static_cast<Core>(rank);
  topology.locales = static_cast<Locale>(distinct.size());
  topology.machine_cores = machine_size;
  topology.machine_first = static_cast<Core>(machine_members.front());
  for (int core = 0; core < size; ++core) {
    const int its_leader = leaders[static_cast<size_t>(core)];
    const auto place = std::lower_bound(distinct.begin(), distinct.end(), its_leader);
    topology.locale_of.push_back(static_cast<Locale>(place - distinct.begin()));
    if (its_leader != leader) continue;
    if (core == rank) topology.locale_mycore = static_cast<Core>(topology.locale_members.size());
    topology.locale_members.push_back(static_cast<Core>(core));
  }
  topology.mylocale = topology.locale_of[static_cast<size_t>(rank)];
  topology.locale_cores = static_cast<Core>(topology.locale_members.size());
  return topology;
}

}  // namespace Grappa
