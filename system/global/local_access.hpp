#pragma once

/// Decides how a core accesses its own memory. If the mean of recent samples is high, a blocking
/// delegate prefetches the word and yields, which hides memory latency. Otherwise the delegate
/// accesses the word directly. Tables of keys decide in this way between direct operations and
/// messages, whose loops prefetch.

#include <algorithm>
#include <cstdint>

namespace Grappa { namespace detail {

class LocalAccess {
 public:
  /// Accesses are slow if their mean is above `slow_ns`. The default is longer than an access to a
  /// shared cache plus the clock.
  explicit LocalAccess(double slow_ns = 70) : slow_ns_(slow_ns) {}

  /// Called before each access. If the result is false, the delegate must also call prepare().
  bool plain() { return --plain_left_ != 0; }

  /// Called if plain() is false: calls sample(), or if overlaps(), prefetches `object` and yields.
  /// Suspends: in a task, if overlaps().
  void prepare(const void* object);

  /// Returns true if accesses are slow and this one is not to be timed.
  bool overlaps() { return slow_ && --slow_left_ > 0; }

  /// Times an access to `object`.
  void sample(const void* object);

  /// Adds the duration of a timed access, with the time to read the clock. Longer durations than
  /// kLongestNs contain preemptions.
  void add_sample(uint64_t ns) {
    const double counted_ns = std::min(static_cast<double>(ns), double{kLongestNs});
    mean_ns_ += (counted_ns - mean_ns_) / kSamplesInMean;
    slow_ = mean_ns_ > slow_ns_;
  }

  bool slow() const { return slow_; }

 private:
  static constexpr int kAccessesPerSample = 256;
  static constexpr double kSamplesInMean = 16;
  static constexpr double kLongestNs = 500;  // memory of another processor plus a page walk

  const double slow_ns_;
  int plain_left_ = kAccessesPerSample;  // accesses until the next call of prepare()
  int slow_left_ = 0;                    // while slow_: accesses until the next timed access
  bool slow_ = false;
  double mean_ns_ = 0;
};

extern LocalAccess the_local_access;  // of delegates

}}  // namespace Grappa::detail
