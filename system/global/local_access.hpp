#pragma once

/// How blocking delegates reach words of their own core: at once, or after letting others run while
/// the word is on its way from memory.
///
/// To ask for the word's cache line and yield is worth it where tables exceed the cache and others
/// are ready: 2.6 times as many accesses. Where the word is in cache it costs a switch for nothing.
/// So one access in a while is timed as it comes, and the mean of late decides.

#include "system/base/compiler.hpp"
#include "system/tasking/scheduler.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class LocalAccess {
 public:
  /// From: any, before the word at `object` is touched. Suspends: in a task, at times.
  void prepare(const void* object) {
    if (GRAPPA_UNLIKELY(--until_sample_ == 0)) {
      sample(object);
    } else if (slow_) {
      overlap(object);
    }
  }

  /// What a timed access took, its timing included.
  void add_sample(uint64_t ns) {
    mean_ns_ += (static_cast<double>(ns) - mean_ns_) / kSamplesInMean;
    slow_ = mean_ns_ > kSlowNs;
  }

  bool slow() const { return slow_; }

 private:
  static constexpr int kAccessesPerSample = 256;
  static constexpr double kSamplesInMean = 16;

  /// Between what a line from a shared cache takes, and one from memory; the clock takes its part.
  static constexpr double kSlowNs = 70;

  void sample(const void* object);
  void overlap(const void* object);

  int until_sample_ = kAccessesPerSample;
  bool slow_ = false;
  double mean_ns_ = 0;
};

extern LocalAccess the_local_access;

/// This core's.
inline LocalAccess& local_access() { return the_local_access; }

}  // namespace detail
}  // namespace Grappa
