#pragma once

/// A condition variable for the tasks of one core. Other cores use global/remote_sync.hpp.
///
/// A signal without a waiting task has no effect. A condition may become false between the signal
/// and the resumption of the waiting task, so the task must test it before and after each wait. A
/// mutex is needed only if testing or changing the condition suspends. If a task waits with a
/// mutex, the signal adds the task to the queue of the mutex, before every task that locks later.

#include "system/base/check.hpp"
#include "system/sync/mutex.hpp"
#include "system/tasking/suspend.hpp"

namespace Grappa {

class ConditionVariable {
 public:
  /// Waits for a signal. From: task or handler. Suspends: until a signal wakes the task.
  void wait() {
    Waiter self;
    waiters_.suspend(&self, detail::WaitReason(detail::WaitReason::Kind::Condition, this));
  }

  /// Unlocks the locked `mutex`, waits for a signal, and locks `mutex` again. No signal is lost
  /// between the unlock and the wait. From: task or handler. Suspends: until `mutex` is locked.
  void wait(Mutex& mutex) {
    GRAPPA_CHECK(!mutex.is_unlocked())
        << "wait on a condition variable with an unlocked mutex: lock the mutex first";
    Waiter self;
    self.mutex = &mutex;
    mutex.unlock();  // does not switch, so no other task can signal in between
    waiters_.suspend(&self, detail::WaitReason(detail::WaitReason::Kind::Condition, this));
  }

  /// Wakes the task that has waited longest, if any task waits. Does not switch.
  void signal() {
    if (waiters_.empty()) return;
    Waiter* waiter = waiters_.pop();
    if (waiter->mutex == nullptr) {
      detail::wake(waiter->worker);
    } else {
      waiter->mutex->lock_for(waiter);
    }
  }

  /// Each wakes all waiting tasks, in order of arrival. Does not switch.
  void broadcast() {
    while (!waiters_.empty()) signal();
  }
  void signal_all() { broadcast(); }

 private:
  struct Waiter : detail::Waiter {
    Mutex* mutex = nullptr;
  };

  detail::WaitQueue<Waiter> waiters_;
};

inline void wait(ConditionVariable& condition) { condition.wait(); }
inline void wait(ConditionVariable* condition) { condition->wait(); }
inline void wait(ConditionVariable& condition, Mutex& mutex) { condition.wait(mutex); }
inline void wait(ConditionVariable* condition, Mutex* mutex) { condition->wait(*mutex); }
inline void signal(ConditionVariable& condition) { condition.signal(); }
inline void signal(ConditionVariable* condition) { condition->signal(); }
inline void broadcast(ConditionVariable& condition) { condition.broadcast(); }
inline void broadcast(ConditionVariable* condition) { condition->broadcast(); }
inline void signal_all(ConditionVariable& condition) { condition.broadcast(); }
inline void signal_all(ConditionVariable* condition) { condition->broadcast(); }

}  // namespace Grappa
