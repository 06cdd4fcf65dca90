#pragma once

/// A number of units that tasks of one core take and give back.
///
/// Strictly first come, first served: a request waits while there are too few units or an older one
/// waits, so that small requests do not starve a large one. increment() takes the units for those
/// it wakes, so a newcomer cannot have them. Nobody owns a unit: one task may take it and another
/// give it. Other cores come through global/remote_sync.hpp. Invariant: the oldest request that
/// waits is for more than value_.

#include "system/base/check.hpp"
#include "system/tasking/waiter_queue.hpp"

#include <cstdint>
#include <limits>

namespace Grappa {

class CountingSemaphore {
 public:
  explicit CountingSemaphore(int64_t value = 0) : value_(value) {
    GRAPPA_CHECK(value >= 0) << "a semaphore of " << value << " units: begin with 0 or more";
  }

  /// Gives `n` units, 0 or more, and wakes those whose requests they fill. Does not switch.
  void increment(int64_t n = 1) {
    GRAPPA_CHECK(n >= 0) << "increment of a semaphore by " << n << ": decrement takes units";
    GRAPPA_CHECK(n <= std::numeric_limits<int64_t>::max() - value_)
        << "increment of a semaphore by " << n << ": it has " << value_ << " and would overflow";
    value_ += n;
    while (!waiters_.empty() && waiters_.front().units <= value_) {
      value_ -= waiters_.front().units;
      waiters_.wake_front();
    }
  }

  /// Takes `n` units, 0 or more. From: task or handler. Suspends: until it is this request's turn
  /// and there are enough.
  void decrement(int64_t n = 1) {
    if (try_decrement(n)) return;
    Request self;
    self.units = n;
    waiters_.suspend(&self, detail::WaitReason(detail::WaitReason::Kind::Semaphore, this));
  }

  /// Takes `n` units and returns true, or returns false where decrement() would wait.
  bool try_decrement(int64_t n = 1) {
    GRAPPA_CHECK(n >= 0) << "decrement of a semaphore by " << n << ": increment gives units";
    if (n > value_ || !waiters_.empty()) return false;
    value_ -= n;
    return true;
  }

  /// Units that nobody has taken; a larger request may be waiting for more.
  int64_t get_value() const { return value_; }

 private:
  struct Request : detail::Waiter {
    int64_t units = 0;
  };

  int64_t value_;
  detail::WaiterQueue<Request> waiters_;
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
