#pragma once

/// How blocking delegates reach words of their own core: at once, or after letting others run while
/// the word is on its way from memory.
///
/// To ask for the word's cache line and yield is worth it where tables exceed the cache and others
/// are ready. Where the word is in cache it costs a switch for nothing. So one access in a while is
/// timed as it comes, and the mean of late decides.

#include "system/base/compiler.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cstdint>

namespace Grappa {
namespace detail {

class LocalAccess {
 public:
  /// To be asked before each access. True: it is one to make as it comes; false: call prepare()
  /// before.
  bool plain() { return --plain_left_ != 0; }

  /// From: any, before the word at `object` is touched. Suspends: in a task, at times.
  void prepare(const void* object);

  /// What a timed access took, its timing included.
  void add_sample(uint64_t ns) {
    // Beyond is what took the processor away, and says nothing about memory.
    const double counted_ns = std::min(static_cast<double>(ns), double{kLongestNs});
    mean_ns_ += (counted_ns - mean_ns_) / kSamplesInMean;
    slow_ = mean_ns_ > kSlowNs;
  }

  bool slow() const { return slow_; }

 private:
  static constexpr int kAccessesPerSample = 256;
  static constexpr double kSamplesInMean = 16;

  /// Between what a line from a shared cache takes, and one from memory; the clock takes its part.
  static constexpr double kSlowNs = 70;

  /// As long as a line from the memory of another processor takes, and the page tables before it.
  static constexpr double kLongestNs = 500;

  void sample(const void* object);
  void overlap(const void* object);

  int plain_left_ = kAccessesPerSample;  // until the next that needs prepare()
  int slow_left_ = 0;                    // while slow_: accesses before the next is timed
  bool slow_ = false;
  double mean_ns_ = 0;
};

extern LocalAccess the_local_access;

/// This core's.
inline LocalAccess& local_access() { return the_local_access; }

}  // namespace detail
}  // namespace Grappa
