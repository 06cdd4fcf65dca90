#pragma once

/// How the cores of a job find each other, and their collective operations outside of tasks: for
/// the start and the end of a job, and for votes on a deadlock. Messages between tasks go through
/// Transport.
///
/// There is one World in a process, from start_world to finish_world. Two implementations: MPI
/// (mpi_world.hpp), for jobs of several hosts, and shared memory (shm_world.hpp), for jobs of one
/// host, in which no MPI function is called. Code outside of net/ cannot tell them apart.
///
/// Rules for all functions: only the core's own thread calls them. All cores call the functions
/// that wait, in the same order. No task runs on a core while one of these waits.

#include "system/net/topology.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

class World {
 public:
  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  /// Called by all cores together. When it returns, this process may exit.
  virtual ~World();

  /// Who is in the job, and who shares memory. `cores_per_locale` as in NetOptions. Waits for all
  /// cores.
  virtual Topology discover_topology(int cores_per_locale) = 0;

  /// Returns why the program cannot run in this world with this option: a sentence, the same on all
  /// cores; empty if it can.
  virtual std::string refusal(int cores_per_locale) const;

  /// Returns when all cores have called it.
  virtual void barrier() = 0;

  /// The `bytes` bytes at `mine` of every core, in the order of the cores. `bytes` is the same on
  /// all cores. Waits for all cores.
  virtual std::vector<char> all_gather(const void* mine, size_t bytes) = 0;

  /// The texts of all cores, in the order of the cores, on core 0; nothing on the others. Waits for
  /// all cores.
  virtual std::vector<std::string> gather_texts(const std::string& mine) = 0;

  /// The smallest of the values of all cores. Waits for all cores.
  uint64_t min(uint64_t value);

  /// A sum over all cores during which this core continues to receive messages: other cores may
  /// need that before they can take part.
  class Sum {
   public:
    Sum() = default;
    Sum(const Sum&) = delete;
    Sum& operator=(const Sum&) = delete;
    /// Waits until done() is true.
    virtual ~Sum();
    /// True when every core has begun its part and the numbers are added up. Does not wait.
    virtual bool done() = 0;
  };

  /// Sums of one sequence are begun in the same order on all cores, each after the one before it
  /// has been destroyed. Those of different sequences do not affect each other.
  enum class Sequence { Phases, Votes };

  static constexpr size_t kMostSummands = 7;

  /// Adds up the `n` numbers at `values` of all cores, in place; `n` is at most kMostSummands. The
  /// numbers stay where they are until done() is true.
  virtual std::unique_ptr<Sum> begin_sum(uint64_t* values, size_t n,
                                         Sequence sequence = Sequence::Phases) = 0;

  /// Returns the FailureState (job_memory.hpp) that all cores of this machine share, also after the
  /// world is destroyed. Null if the kernel isolates this core. Called once the topology is known.
  /// Waits for all cores.
  virtual std::atomic<uint32_t>* failure_word() = 0;
};

enum class WorldChoice {
  Automatic,  // MPI if mpirun, srun or another launcher of MPI has started this process
  Mpi,
};

/// Connects the cores. A process that was started alone becomes a job of one core. May remove
/// arguments that are meant for MPI. Ends the process with one line and status 2 if it was started
/// in a way that cannot work.
void start_world(WorldChoice choice, int* argc, char** argv[]);

/// Called by all cores together.
void finish_world();

/// From: anywhere between start_world and finish_world.
World& world();

}  // namespace detail
}  // namespace Grappa
