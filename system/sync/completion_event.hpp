#pragma once

/// A counter of expected completions on one core. Any number of tasks can wait until the counter is
/// zero; then the event can be used again. Other cores use global/remote_sync.hpp.

#include "system/base/check.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace Grappa {

class CompletionEvent {
 public:
  explicit CompletionEvent(int64_t count = 0) : count_(count) {
    GRAPPA_CHECK(count >= 0) << "CompletionEvent: invalid count " << count << ", expected >= 0";
  }

  /// Adds `n` >= 0 expected completions.
  void enroll(int64_t n = 1) {
    GRAPPA_CHECK(n >= 0) << "enroll: invalid count " << n << ", expected >= 0";
    GRAPPA_CHECK(n <= std::numeric_limits<int64_t>::max() - count_)
        << "enroll: count " << n << " would overflow the current count " << count_;
    count_ += n;
  }

  /// Records `n` completions, 0 <= `n` <= count. The last completion wakes all waiting tasks.
  void complete(int64_t n = 1) {
    GRAPPA_CHECK(n >= 0) << "complete: invalid count " << n << ", expected >= 0";
    GRAPPA_CHECK(n <= count_) << "a completion event was completed more often than enrolled: by "
                              << n << " with " << count_ << " to come";
    count_ -= n;
    if (count_ == 0) waiters_.wake_all();
  }

  /// Waits until the count is zero. From: task or handler. Suspends: while the count is above zero.
  void wait() { wait(detail::WaitReason(detail::WaitReason::Kind::Event, this)); }

  int64_t get_count() const { return count_; }

  /// wait() for the runtime: reports show `reason` instead of Event.
  void wait(detail::WaitReason reason) {
    if (count_ != 0) waiters_.suspend(reason);
  }

  /// Sets the count to zero and wakes all waiting tasks.
  void reset() {
    count_ = 0;
    waiters_.wake_all();
  }

 private:
  int64_t count_;
  detail::WaitQueue<> waiters_;
};

inline void enroll(CompletionEvent& event, int64_t n = 1) { event.enroll(n); }
inline void enroll(CompletionEvent* event, int64_t n = 1) { event->enroll(n); }
inline void complete(CompletionEvent& event, int64_t n = 1) { event.complete(n); }
inline void complete(CompletionEvent* event, int64_t n = 1) { event->complete(n); }
inline void wait(CompletionEvent& event) { event.wait(); }
inline void wait(CompletionEvent* event) { event->wait(); }
inline int64_t get_count(const CompletionEvent& event) { return event.get_count(); }
inline int64_t get_count(const CompletionEvent* event) { return event->get_count(); }
inline void reset(CompletionEvent& event) { event.reset(); }
inline void reset(CompletionEvent* event) { event->reset(); }

namespace detail {

template <class Body>
struct CompletingTask {
  CompletionEvent* event;
  Body body;
  void operator()() {
    body();
    event->complete();
  }
};

}  // namespace detail

/// Starts a task on this core and enrolls it in `event`. `event` must outlive the task.
template <class F>
void spawn(CompletionEvent* event, F&& body) {
  event->enroll();
  spawn(detail::CompletingTask<typename std::decay<F>::type>{event, std::forward<F>(body)});
}

}  // namespace Grappa
