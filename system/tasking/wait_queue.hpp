#pragma once

/// Workers of this core that wait for the same thing, first in, first out.
///
/// For whoever need not know more of them than that. Wake-up puts a worker at the end of the ready
/// queue; it does not switch, so whoever wakes goes on undisturbed.

#include "system/tasking/waiter_queue.hpp"

namespace Grappa {
namespace detail {

class WaitQueue {
 public:
  /// Drops all that wait, who are never to be woken: at the end of a job only.
  void abandon() { waiters_.abandon(); }

  bool empty() const { return waiters_.empty(); }

  /// `reason` is for reports. From: task or handler. Suspends: until woken.
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
  WaiterQueue<Waiter> waiters_;  // not copyable, hence neither is this
};

}  // namespace detail
}  // namespace Grappa
