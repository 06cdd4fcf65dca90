#pragma once

/// A number that all cores add to, and that is seldom read.
///
/// Each core adds to a part of its own, so that adding costs one addition; reading asks all cores.
/// In return it is not linearizable. count() has in it every increment that had returned before
/// count() was called, and none that begins after it has returned; of those in between it may have
/// some and not others, also a later one without an earlier one on another core. So the count of a
/// phase is exact once the phase has ended (finish, forall), and while increments are positive two
/// counts by one task never go down. Who needs a number that is exact at a moment, or different for
/// each who asks, has delegate::fetch_and_add on a word of one core.

#include "system/net/topology.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/reduce.hpp"
#include "system/parallel/symmetric.hpp"

#include <cstdint>

namespace Grappa {

class GlobalCounter {
 public:
  /// From: task. Suspends, and Messages: as symmetric().
  static GlobalAddress<GlobalCounter> create(int64_t initial = 0) {
    return symmetric<GlobalCounter>(initial, mycore());
  }

  /// Adds `n`, which may be negative, on this core.
  void incr(int64_t n = 1) { here_ += n; }

  /// The sum over all cores; see above. From: task. Suspends: until all cores have answered.
  /// Messages: about 4 for each other core.
  int64_t count() const {
    const GlobalCounter* const self = this;
    return sum_all_cores([self] { return self->here_; });
  }

  /// Sets the count to `value`, while nobody adds: an increment at the same time may be lost.
  /// From: task. Suspends: until all cores know. Messages: 2 for each other core.
  void reset(int64_t value = 0) {
    GlobalCounter* const self = this;
    const Core home = mycore();
    call_on_all_cores([self, value, home] { self->here_ = mycore() == home ? value : 0; });
  }

  /// From: task, once. Suspends: until core 0 has answered.
  void destroy() { global_free(make_global(this, 0)); }

  /// By symmetric() only.
  GlobalCounter(int64_t initial, Core home) : here_(mycore() == home ? initial : 0) {}

 private:
  int64_t here_;
};

}  // namespace Grappa
