#pragma once

/// Waiting on one core until a number of things have happened.
///
/// Invariant: tasks wait only while count_ is above zero.

#include "system/base/check.hpp"
#include "system/tasking/spawn.hpp"
#include "system/tasking/wait_queue.hpp"

#include <cstdint>
#include <utility>

namespace Grappa {

class CompletionEvent {
 public:
  explicit CompletionEvent(int64_t count = 0) : count_(count) {}

  /// `n` more things to wait for.
  void enroll(int64_t n = 1) { count_ += n; }

  /// `n` of them have happened; the last one wakes all that wait. It does not switch.
  void complete(int64_t n = 1) {
    count_ -= n;
    if (count_ > 0) return;
    GRAPPA_CHECK(count_ == 0) << "a completion event was completed more often than enrolled";
    waiters_.wake_all();
  }

  /// From: task or handler. Suspends: while the count is above zero.
  void wait() {
    if (count_ > 0) waiters_.suspend();
  }

  int64_t get_count() const { return count_; }

 private:
  int64_t count_;
  WaitQueue waiters_;
};

/// Starts a task on this core that `event` waits for. `event` outlives it.
template <class F>
void spawn(CompletionEvent* event, F body) {
  event->enroll();
  spawn([event, body]() mutable {
    body();
    event->complete();
  });
}

}  // namespace Grappa
