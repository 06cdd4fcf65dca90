#pragma once

/// A counter that all cores add to and that is read rarely. Each core has a counter of its own.
///
/// The counter is not linearizable. count() includes every increment that returned before the call
/// of count(), and some of the concurrent increments. So the count of a phase is exact after the
/// phase has ended. If all increments are positive, the results that one task gets never decrease.
/// For unique numbers, use delegate::fetch_and_add on one word.

#include "system/net/topology.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/reduce.hpp"
#include "system/parallel/symmetric.hpp"

#include <cstdint>

namespace Grappa {

class GlobalCounter {
 public:
  /// Creates a counter. From: task. Suspends and Messages: as symmetric().
  static GlobalAddress<GlobalCounter> create(int64_t initial = 0) {
    return symmetric<GlobalCounter>(initial, mycore());
  }

  /// Adds `n`, which may be negative, on this core.
  void incr(int64_t n = 1) { here_ += n; }

  /// Returns the sum. From: task. Suspends: until done. Messages: about 4 for each other core.
  int64_t count() const {
    return sum_all_cores([this] { return here_; });
  }

  /// Sets the count to `value`. Must not run concurrently with incr(), or increments may be lost.
  /// From: task. Suspends: until all cores have been reset. Messages: 2 for each other core.
  void reset(int64_t value = 0) {
    const Core home = mycore();
    call_on_all_cores([this, value, home] { here_ = mycore() == home ? value : 0; });
  }

  /// Destroys the counter. From: task, once. Suspends: until its memory is free.
  void destroy() { global_free(make_global(this, 0)); }

  /// Called by symmetric() only.
  GlobalCounter(int64_t initial, Core home) : here_(mycore() == home ? initial : 0) {}

 private:
  int64_t here_;
};

}  // namespace Grappa
