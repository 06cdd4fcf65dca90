#pragma once

/// Mutual exclusion between the tasks of one core. Other cores use global/remote_sync.hpp.
///
/// A mutex is needed only if the critical section suspends, in a delegate call or a wait. Any other
/// section is exclusive without a mutex. The lock has no owner: one task may lock it and another
/// task unlock it. Waiting tasks get the lock in order of arrival, and no other task can overtake
/// them.

#include "system/base/check.hpp"
#include "system/tasking/suspend.hpp"

namespace Grappa {

class Mutex {
 public:
  ~Mutex() { GRAPPA_DCHECK(!held_ || !detail::in_job()) << "mutex destroyed while held"; }

  /// Locks the mutex. From: task or handler. Suspends: while the lock is held.
  void lock() {
    // unlock() does not clear held_ if it passes the lock to a waiting task.
    if (!trylock()) waiters_.suspend(reason());
  }

  /// Locks the mutex if it is free. Returns true if the call locked it.
  bool trylock() { return held_ ? false : (held_ = true); }

  /// Passes the lock to the task that has waited longest, or frees the lock. Does not switch.
  void unlock() {
    GRAPPA_CHECK(held_) << "unlock of a free mutex: call lock before each unlock";
    if (waiters_.empty()) {
      held_ = false;
    } else {
      waiters_.wake_front();
    }
  }

  bool is_unlocked() const { return !held_; }

  /// Aliases of lock and unlock.
  void acquire() { lock(); }
  void release() { unlock(); }

 private:
  friend class ConditionVariable;

  detail::WaitReason reason() const { return {detail::WaitReason::Kind::Mutex, this}; }

  /// Locks the mutex for a suspended task. The task is woken when it holds the lock.
  void lock_for(detail::Waiter* waiter) {
    if (trylock()) {
      detail::wake(waiter->worker);
    } else {
      detail::change_reason(waiter->worker, reason());
      waiters_.push(waiter);
    }
  }

  detail::WaitQueue<> waiters_;  // not copyable, so Mutex is not copyable
  bool held_ = false;
};

inline void lock(Mutex& mutex) { mutex.lock(); }
inline void lock(Mutex* mutex) { mutex->lock(); }
inline bool trylock(Mutex& mutex) { return mutex.trylock(); }
inline bool trylock(Mutex* mutex) { return mutex->trylock(); }
inline void unlock(Mutex& mutex) { mutex.unlock(); }
inline void unlock(Mutex* mutex) { mutex->unlock(); }
inline bool is_unlocked(const Mutex& mutex) { return mutex.is_unlocked(); }
inline bool is_unlocked(const Mutex* mutex) { return mutex->is_unlocked(); }
inline void acquire(Mutex& mutex) { mutex.lock(); }
inline void acquire(Mutex* mutex) { mutex->lock(); }
inline void release(Mutex& mutex) { mutex.unlock(); }
inline void release(Mutex* mutex) { mutex->unlock(); }

}  // namespace Grappa
