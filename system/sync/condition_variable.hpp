#pragma once

/// Waiting on one core until somebody says that a condition may hold.
///
/// A signal that finds nobody waiting is lost, and a condition that held when it was signalled may
/// not when the waiter runs: check the condition before the wait, and again after it, in a loop. A
/// mutex is needed only where checking or changing the condition suspends; a waiter that gave one
/// joins the line for it in the moment of the signal, ahead of everybody who locks later, and runs
/// when it has the lock. Other cores come through global/remote_sync.hpp.

#include "system/base/check.hpp"
#include "system/sync/mutex.hpp"
#include "system/tasking/waiter_queue.hpp"

namespace Grappa {

class ConditionVariable {
 public:
  /// From: task or handler. Suspends: until signalled.
  void wait() {
    Waiter self;
    waiters_.suspend(&self, detail::WaitReason(detail::WaitReason::Kind::Condition, this));
  }

  /// Unlocks `mutex`, which must be locked, waits, and holds it again on return. No signal is
  /// missed in between. From: task or handler. Suspends: until signalled and the lock is its.
  void wait(Mutex& mutex) {
    GRAPPA_CHECK(!mutex.is_unlocked())
        << "wait on a condition variable with a free mutex: lock the mutex before";
    Waiter self;
    self.mutex = &mutex;
    mutex.unlock();  // does not switch, so nobody can signal before this task waits
    waiters_.suspend(&self, detail::WaitReason(detail::WaitReason::Kind::Condition, this));
  }

  /// Wakes the task that has waited longest, if one waits. Does not switch.
  void signal() {
    if (waiters_.empty()) return;
    Waiter* waiter = waiters_.pop();
    if (waiter->mutex == nullptr) {
      detail::scheduler().wake(waiter->worker);
    } else {
      waiter->mutex->lock_for(waiter);
    }
  }

  /// Wakes all that wait, in order of arrival. Does not switch.
  void broadcast() {
    while (!waiters_.empty()) signal();
  }

  /// broadcast by another name.
  void signal_all() { broadcast(); }

 private:
  struct Waiter : detail::Waiter {
    Mutex* mutex = nullptr;
  };

  detail::WaiterQueue<Waiter> waiters_;
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
