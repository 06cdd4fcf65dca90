#pragma once

/// A FIFO queue of workers of this core that wait for the same event.
///
/// Use WaiterQueue if each waiter needs additional data. A wake-up adds the worker to the end of
/// the ready queue and does not switch, so the waking task keeps running.

#include "system/tasking/waiter_queue.hpp"

namespace Grappa {
namespace detail {

class WaitQueue {
 public:
  /// Drops all waiting workers without waking them. Only valid at the end of a job.
  void abandon() { waiters_.abandon(); }

  bool empty() const { return waiters_.empty(); }

  /// Adds the current worker. Reports print `reason`. Suspends: until woken.
  void suspend(WaitReason reason = WaitReason(WaitReason::Kind::Other)) {
    Waiter self;
    waiters_.suspend(&self, reason);
  }

  /// Wakes the worker that has waited longest; false if none waits.
  bool wake_one() {
    if (waiters_.empty()) return false;
    waiters_.wake_front();
    return true;
  }

  void wake_all() { waiters_.wake_all(); }

 private:
  WaiterQueue<Waiter> waiters_;  // not copyable, so WaitQueue is not copyable
};

}  // namespace detail
}  // namespace Grappa
