#pragma once

/// A counting semaphore for the tasks of one core. Other cores use global/remote_sync.hpp.
///
/// Requests are served strictly in order of arrival, so small requests cannot starve a large
/// request. Units have no owner: one task may take a unit and another task return it. Invariant:
/// the oldest waiting request is for more than value_ units.

#include "system/base/check.hpp"
#include "system/tasking/suspend.hpp"

#include <cstdint>
#include <limits>

namespace Grappa {

class CountingSemaphore {
 public:
  explicit CountingSemaphore(int64_t value = 0) : value_(value) {
    GRAPPA_CHECK(value >= 0) << "CountingSemaphore: invalid value " << value << ", expected >= 0";
  }

  /// Adds `n` >= 0 units and wakes the tasks whose requests can be served. Does not switch.
  void increment(int64_t n = 1) {
    GRAPPA_CHECK(n >= 0) << "increment of a semaphore: invalid count " << n << ", expected >= 0";
    GRAPPA_CHECK(n <= std::numeric_limits<int64_t>::max() - value_)
        << "increment of a semaphore: count " << n << " would overflow the value " << value_;
    value_ += n;
    while (!waiters_.empty() && waiters_.front().units <= value_) {
      value_ -= waiters_.front().units;
      waiters_.wake_front();
    }
  }

  /// Takes `n` >= 0 units. From: task or handler. Suspends: while it cannot take them in its turn.
  void decrement(int64_t n = 1) {
    if (try_decrement(n)) return;
    Request self;
    self.units = n;
    waiters_.suspend(&self, detail::WaitReason(detail::WaitReason::Kind::Semaphore, this));
  }

  /// Takes `n` units and returns true. If decrement() would suspend, returns false instead.
  bool try_decrement(int64_t n = 1) {
    GRAPPA_CHECK(n >= 0) << "decrement of a semaphore: invalid count " << n << ", expected >= 0";
    if (n > value_ || !waiters_.empty()) return false;
    value_ -= n;
    return true;
  }

  /// Returns the number of available units. It may be above zero while a larger request waits.
  int64_t get_value() const { return value_; }

 private:
  struct Request : detail::Waiter {
    int64_t units = 0;
  };

  int64_t value_;
  detail::WaitQueue<Request> waiters_;
};

typedef CountingSemaphore Semaphore;

inline void increment(CountingSemaphore& semaphore, int64_t n = 1) { semaphore.increment(n); }
inline void increment(CountingSemaphore* semaphore, int64_t n = 1) { semaphore->increment(n); }
inline void decrement(CountingSemaphore& semaphore, int64_t n = 1) { semaphore.decrement(n); }
inline void decrement(CountingSemaphore* semaphore, int64_t n = 1) { semaphore->decrement(n); }
inline bool try_decrement(CountingSemaphore& semaphore, int64_t n = 1) {
  return semaphore.try_decrement(n);
}
inline bool try_decrement(CountingSemaphore* semaphore, int64_t n = 1) {
  return semaphore->try_decrement(n);
}
inline int64_t get_value(const CountingSemaphore& semaphore) { return semaphore.get_value(); }
inline int64_t get_value(const CountingSemaphore* semaphore) { return semaphore->get_value(); }

}  // namespace Grappa
