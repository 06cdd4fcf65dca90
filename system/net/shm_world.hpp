#pragma once

/// The World of processes that share memory: a job on one host, or a simulation.

#include "system/net/job_memory.hpp"
#include "system/net/world.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Grappa { namespace detail {

struct Exchange;  // the shared values of one core
struct Summands;

class ShmWorld : public World {
 public:
  /// `memory` is shared by all cores, and `core` is the number of this one.
  ShmWorld(JobMemory* memory, Core core);
  ~ShmWorld() override;

  Topology discover_topology(int cores_per_locale) override;
  std::string refusal(int cores_per_locale) const override;
  void barrier() override;
  std::atomic<uint32_t>* failure_word() override { return &memory_->failure; }

 protected:
  /// Returns the name of a function of MPI that the executable itself imports, or "".
  static std::string called_mpi_function();

  int cores() const { return static_cast<int>(memory_->cores); }
  Core core() const { return core_; }

 private:
  std::vector<char> gather(const void* mine, size_t bytes, bool on_all_cores) override;
  void start_sum(uint64_t* values, size_t n, Sequence sequence) override;
  bool sum_done(Sequence sequence) override;
  Summands& summands(uint32_t core, Sequence sequence);
  void set_state(CoreState state);
  Exchange& area(uint32_t core);

  JobMemory* const memory_;
  const Core core_;
  const bool crowded_;  // more cores than processors: waiting cores must not spin
  int half_ = 0;
  struct OpenSum {
    uint64_t number = 0;  // in its sequence, from 1
    uint64_t* values = nullptr;
    size_t n = 0;
    uint32_t added = 0;  // the sum includes the cores below this number
  } sums_[2];            // by sequence
};

}}  // namespace Grappa::detail
