#pragma once

/// Decides how blocking delegates access words of their own core: directly, or with a prefetch and
/// a yield before the access.
///
/// Prefetch and yield hide the memory latency of tables that exceed the cache. If the word is in
/// the cache, the context switch is wasted. LocalAccess therefore times one of many accesses, and
/// the mean of recent samples selects the method.

#include "system/base/compiler.hpp"

#include <algorithm>
#include <cstdint>

namespace Grappa {
namespace detail {

class LocalAccess {
 public:
  /// A delegate calls plain() before each access. If plain() returns false, the delegate must call
  /// prepare() before the access.
  bool plain() { return --plain_left_ != 0; }

  /// Times the access to the word at `object`, or prefetches the word and yields. From: any.
  /// Suspends: in a task, if accesses are slow.
  void prepare(const void* object);

  /// Adds the duration of a timed access, including the cost of the clock.
  void add_sample(uint64_t ns) {
    // Longer durations come from preemption, not from memory.
    const double counted_ns = std::min(static_cast<double>(ns), double{kLongestNs});
    mean_ns_ += (counted_ns - mean_ns_) / kSamplesInMean;
    slow_ = mean_ns_ > kSlowNs;
  }

  bool slow() const { return slow_; }

 private:
  static constexpr int kAccessesPerSample = 256;
  static constexpr double kSamplesInMean = 16;

  /// Between the latency of a shared cache and that of memory, including the cost of the clock.
  static constexpr double kSlowNs = 70;

  /// The latency of another processor's memory, including a page table walk.
  static constexpr double kLongestNs = 500;

  void sample(const void* object);
  void overlap(const void* object);

  int plain_left_ = kAccessesPerSample;  // accesses until the next call of prepare()
  int slow_left_ = 0;                    // while slow_: accesses until the next timed access
  bool slow_ = false;
  double mean_ns_ = 0;
};

extern LocalAccess the_local_access;

/// The instance of this core.
inline LocalAccess& local_access() { return the_local_access; }

}  // namespace detail
}  // namespace Grappa
