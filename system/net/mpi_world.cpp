#include "system/base/check.hpp"
#include "system/net/late_event.hpp"
#include "system/net/mpi_library.hpp"
#include "system/net/shm_segment.hpp"
#include "system/net/world.hpp"

#include <algorithm>

namespace Grappa::detail {
namespace {

class MpiSum : public World::Sum {
 public:
  MpiSum(uint64_t* values, size_t n, MPI_Comm comm) {
    mpi.Iallreduce(MPI_IN_PLACE, values, static_cast<int>(n), mpi.uint64, mpi.sum, comm, &request_);
  }
  ~MpiSum() override { mpi.Wait(&request_, MPI_STATUS_IGNORE); }

  bool done() override {
    int done = 0;
    mpi.Test(&request_, &done, MPI_STATUS_IGNORE);
    return done != 0;
  }

 private:
  MPI_Request request_;
};

class MpiWorld : public World {
 public:
  MpiWorld(int* argc, char** argv[]) {
    load_mpi();
    int provided = 0;
    mpi.Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    mpi.Comm_size(mpi.world, &size_);
    mpi.Comm_rank(mpi.world, &rank_);
    GRAPPA_CHECK(size_ < kMaxCores) << "a job has at most " << kMaxCores - 1 << " cores";
    mpi.Comm_dup(mpi.world, &votes_);
  }

  ~MpiWorld() override {
    const LateEvents late_events;
    mpi.Comm_free(&votes_);
    mpi.Finalize();
  }

  void barrier() override { mpi.Barrier(mpi.world); }

  std::vector<char> all_gather(const void* mine, size_t bytes) override {
    std::vector<char> all(static_cast<size_t>(size_) * bytes);
    const int n = static_cast<int>(bytes);
    mpi.Allgather(mine, n, mpi.byte, all.data(), n, mpi.byte, mpi.world);
    return all;
  }

  std::vector<std::string> gather_texts(const std::string& mine) override;
  Topology discover_topology(int cores_per_locale) override;

  std::unique_ptr<Sum> begin_sum(uint64_t* values, size_t n, Sequence sequence) override {
    MPI_Comm comm = sequence == Sequence::Votes ? votes_ : mpi.world;
    return std::unique_ptr<Sum>(new MpiSum(values, n, comm));
  }

  std::atomic<uint32_t>* failure_word() override { return map_machine_word(); }

 private:
  int size_ = 0;
  int rank_ = 0;
  MPI_Comm votes_;
};

std::vector<std::string> MpiWorld::gather_texts(const std::string& mine) {
  const size_t cores = rank_ == 0 ? static_cast<size_t>(size_) : 0;
  const int length = static_cast<int>(mine.size());
  std::vector<int> lengths(cores), offsets(cores);
  mpi.Gather(&length, 1, mpi.integer, lengths.data(), 1, mpi.integer, 0, mpi.world);
  int total = 0;
  for (size_t core = 0; core < cores; ++core) {
    offsets[core] = total;
    total += lengths[core];
  }
  std::string all(static_cast<size_t>(total), '\0');
  mpi.Gatherv(mine.data(), length, mpi.byte, &all[0], lengths.data(), offsets.data(), mpi.byte, 0,
              mpi.world);
  std::vector<std::string> texts;
  for (size_t core = 0; core < cores; ++core) {
    texts.push_back(
        all.substr(static_cast<size_t>(offsets[core]), static_cast<size_t>(lengths[core])));
  }
  return texts;
}

Topology MpiWorld::discover_topology(int cores_per_locale) {
  MPI_Comm machine;
  mpi.Comm_split_type(mpi.world, MPI_COMM_TYPE_SHARED, rank_, mpi.no_info, &machine);
  int machine_size = 0, machine_rank = 0;
  mpi.Comm_size(machine, &machine_size);
  mpi.Comm_rank(machine, &machine_rank);

  // Until all locales are numbered, a locale is identified by its first core.
  const int first = cores_per_locale > 0 ? machine_rank - machine_rank % cores_per_locale : 0;
  std::vector<int> machine_members(static_cast<size_t>(machine_size));
  mpi.Allgather(&rank_, 1, mpi.integer, machine_members.data(), 1, mpi.integer, machine);
  mpi.Comm_free(&machine);
  const int leader = machine_members[static_cast<size_t>(first)];
  std::vector<int> leaders(static_cast<size_t>(size_));
  mpi.Allgather(&leader, 1, mpi.integer, leaders.data(), 1, mpi.integer, mpi.world);
  std::vector<int> distinct = leaders;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());

  Topology topology;
  topology.cores = static_cast<Core>(size_);
  topology.mycore = static_cast<Core>(rank_);
  topology.locales = static_cast<Locale>(distinct.size());
  topology.machine_cores = machine_size;
  topology.machine_first = static_cast<Core>(machine_members.front());
  for (int core = 0; core < size_; ++core) {
    const int its_leader = leaders[static_cast<size_t>(core)];
    const auto place = std::lower_bound(distinct.begin(), distinct.end(), its_leader);
    topology.locale_of.push_back(static_cast<Locale>(place - distinct.begin()));
    if (its_leader != leader) continue;
    if (core == rank_) topology.locale_mycore = static_cast<Core>(topology.locale_members.size());
    topology.locale_members.push_back(static_cast<Core>(core));
  }
  topology.mylocale = topology.locale_of[static_cast<size_t>(rank_)];
  topology.locale_cores = static_cast<Core>(topology.locale_members.size());
  return topology;
}

}  // namespace

std::unique_ptr<World> make_mpi_world(int* argc, char** argv[]) {
  return std::unique_ptr<World>(new MpiWorld(argc, argv));
}

}  // namespace Grappa::detail
