#pragma once

/// Workers of this core that wait for the same thing, first in, first out.
///
/// The building block of everything that suspends. Wake-up puts a worker at the end of the ready
/// queue; it does not switch, so whoever wakes goes on undisturbed. Invariant: tail_ is meaningful
/// only while head_ is not null.

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/tasking/scheduler.hpp"

namespace Grappa {

class WaitQueue {
 public:
  WaitQueue() = default;
  WaitQueue(const WaitQueue&) = delete;
  WaitQueue& operator=(const WaitQueue&) = delete;
  ~WaitQueue() { GRAPPA_DCHECK(empty()) << "destroyed while tasks wait for it"; }

  /// Drops all that wait, who are never to be woken: at the end of a job only.
  void abandon() { head_ = nullptr; }

  bool empty() const { return head_ == nullptr; }

  /// From: task or handler. Suspends: until woken.
  void suspend() {
    Worker* self = scheduler().current();
    if (GRAPPA_UNLIKELY(self == nullptr)) scheduler().suspend();  // which says why that is wrong
    self->next = nullptr;
    if (head_ == nullptr) {
      head_ = self;
    } else {
      tail_->next = self;
    }
    tail_ = self;
    scheduler().suspend();
  }

  /// Wakes the worker that has waited longest; false if none waits.
  bool wake_one() {
    Worker* worker = head_;
    if (worker == nullptr) return false;
    head_ = worker->next;
    scheduler().wake(worker);
    return true;
  }

  void wake_all() {
    while (wake_one()) {}
  }

 private:
  Worker* head_ = nullptr;
  Worker* tail_ = nullptr;
};

}  // namespace Grappa
