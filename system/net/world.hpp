#pragma once

/// Connects the cores of a job, and provides the collective operations outside tasks, for the start
/// and the end of a job and for votes on a deadlock. A process has one World, from start_world to
/// finish_world: an MpiWorld (mpi.cpp), or a ShmWorld (shm_world.cpp) for a job on one host.
///
/// Rules for all functions: Only the core's own thread may call them. All cores must call the
/// waiting functions in the same order. While such a function waits, no task runs on the core.

#include "system/net/job_memory.hpp"
#include "system/net/link.hpp"
#include "system/net/topology.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace Grappa { namespace detail {

class World {
 public:
  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  /// All cores must call the destructor together. After its return, this process may exit.
  virtual ~World() = default;

  /// `cores_per_locale` is the option in NetOptions. Waits for all cores.
  virtual Topology discover_topology(int cores_per_locale) = 0;

  /// If the program cannot run in this world with `cores_per_locale`, returns the reason as a
  /// message for the user, which is equal on all cores. Otherwise returns an empty string.
  virtual std::string refusal(int) const { return ""; }

  /// Make the links to the cores of this locale and of other locales. Must be called after the
  /// topology is known. Only a job of several locales has a far link. Wait for all cores.
  virtual std::unique_ptr<LocaleLink> make_near_link(const LinkOptions& options);
  virtual std::unique_ptr<Link> make_far_link(const LinkOptions& options);

  /// Waits until all cores have called barrier().
  virtual void barrier() = 0;

  /// Returns the `bytes` bytes at `mine` of every core, in the order of the cores. `bytes` must be
  /// the same on all cores. Waits for all cores.
  std::vector<char> all_gather(const void* mine, size_t bytes) { return gather(mine, bytes, true); }

  /// Returns the values of all cores, in the order of the cores. Waits for all cores.
  template <class T>
  std::vector<T> all_gather(const T& mine) {
    const std::vector<char> bytes = all_gather(&mine, sizeof mine);
    std::vector<T> all(bytes.size() / sizeof mine);
    std::memcpy(static_cast<void*>(all.data()), bytes.data(), bytes.size());
    return all;
  }

  /// On core 0, returns the texts of all cores, in the order of the cores. On other cores, returns
  /// an empty vector. Must be called after the topology is known. Waits for all cores.
  std::vector<std::string> gather_texts(const std::string& mine);

  /// Returns the minimum of the values of all cores. Waits for all cores.
  uint64_t min(uint64_t value);

  enum class Sequence { Phases, Votes };  // independent of each other

  /// A sum over all cores. During the sum, this core must continue to receive messages, because
  /// another core may be unable to contribute until its messages are received.
  class Sum {
   public:
    Sum(World* world, Sequence sequence) : world_(world), sequence_(sequence) {}
    Sum(const Sum&) = delete;
    Sum& operator=(const Sum&) = delete;
    ~Sum();  // waits until the sum is complete
    /// Returns true when every core has contributed and the sum is computed. Does not wait.
    bool done() { return world_->sum_done(sequence_); }

   private:
    World* const world_;
    const Sequence sequence_;
  };

  static constexpr size_t kMostSummands = 7;

  /// Replaces each of the `n` numbers at `values` by its sum over all cores. `n` is at most
  /// kMostSummands. `values` must stay valid until done() is true. All cores must begin the sums of
  /// one sequence in the same order, and the previous sum of the sequence must be destroyed first.
  std::unique_ptr<Sum> begin_sum(uint64_t* values, size_t n, Sequence sequence = Sequence::Phases);

  /// What disturbs a simulation with faults, beside the link: the seed chooses unusual options.
  struct Exploration {
    uint64_t seed = 0;
    std::set<std::string> kinds;  // of disturbances, without options; empty without faults
    std::set<std::string> named;  // the kinds and options to use; empty: all
    std::string present;          // those that this seed has, each with a + before it
  };
  virtual Exploration exploration() const { return {}; }

  /// Returns the FailureState (job_memory.hpp) that all cores of this machine share, or null if the
  /// kernel isolates this core. The state stays valid after the world is destroyed. Must be called
  /// after the topology is known. Waits for all cores.
  virtual std::atomic<uint32_t>* failure_word() = 0;

 private:
  /// all_gather(), or if not `on_all_cores`, the same with an empty result on cores other than 0.
  virtual std::vector<char> gather(const void* mine, size_t bytes, bool on_all_cores) = 0;
  virtual void start_sum(uint64_t* values, size_t n, Sequence sequence) = 0;
  virtual bool sum_done(Sequence sequence) = 0;  // may be called again after it returned true

  bool summing_[2] = {};  // by sequence
};

/// The topology of a job on one machine. Core k is in the locale that begins at `first_cores[k]`.
Topology topology_from_first_cores(const std::vector<Core>& first_cores, Core mycore);

/// Data that this process inherits from the launcher of a job on one host (job_memory.hpp).
struct InheritedJob {
  JobMemory* memory = nullptr;  // null if the launcher did not start this process, or on an error
  Core core = 0;
  uint64_t identity = 0;  // unique among the jobs of this host
  std::string error;      // message for the user; empty if there is no error
};

/// The first call happens before main. It reads kJobVariable, maps the memory, removes the variable
/// and closes the descriptor, so programs started by this process do not join the job.
const InheritedJob& inherited_job();

/// Starts MPI. The destructor of the world ends MPI.
std::unique_ptr<World> make_mpi_world(int* argc, char** argv[]);

/// `memory` is shared with the launcher, and `core` is the number of this process in the job.
std::unique_ptr<World> make_shm_world(JobMemory* memory, Core core);

/// Creates a job that consists of this process only.
std::unique_ptr<World> make_shm_world();

/// Simulates the cluster that `description` describes (net/sim/): forks a process for each core,
/// and returns in these processes. This process becomes the conductor and never returns.
std::unique_ptr<World> simulate(const std::string& description, const InheritedJob& launched);

/// If not null, a core that has a failure to report calls it first. Then it returns only on the
/// core that failed first.
extern void (*before_failure)();

enum class WorldChoice {
  Automatic,  // MPI if mpirun, srun or another MPI launcher has started this process
  Mpi,
};

/// Connects the cores. A process without a launcher becomes a job of one core. May remove MPI's
/// arguments from `argv`. If the process was started in an unsupported way, calls input_error.
void start_world(WorldChoice choice, int* argc, char** argv[]);

/// All cores must call finish_world() together.
void finish_world();

/// The world of this process. From: anywhere between start_world and finish_world.
World& world();

}}  // namespace Grappa::detail
