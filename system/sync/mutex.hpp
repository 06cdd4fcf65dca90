#pragma once

/// Mutual exclusion between the tasks of one core.
///
/// Tasks switch only where one suspends, so plain fields suffice: no atomics, no spinning. Needed
/// only when the critical section itself suspends (a delegate call, a wait); any other section is
/// exclusive already. The lock has no owner: one task may lock it and another unlock it. unlock()
/// hands it to the oldest waiter, so neither a newcomer nor locking in a loop gets in before those
/// who wait. Other cores lock it through global/remote_sync.hpp. Invariant: a task waits only while
/// held_ is set.

#include "system/base/check.hpp"
#include "system/tasking/waiter_queue.hpp"

namespace Grappa {

class Mutex {
 public:
  ~Mutex() { GRAPPA_DCHECK(!held_ || !detail::in_job()) << "mutex destroyed while held"; }

  /// From: task or handler. Suspends: while the lock is held.
  void lock() {
    if (trylock()) return;
    detail::Waiter self;
    // unlock() leaves held_ set for the task it wakes.
    waiters_.suspend(&self, detail::WaitReason(detail::WaitReason::Kind::Mutex, this));
  }

  /// True if the lock was free and is now taken.
  bool trylock() { return held_ ? false : (held_ = true); }

  /// Hands the lock to the task that has waited longest, or frees it. Does not switch.
  void unlock() {
    GRAPPA_CHECK(held_) << "unlock of a free mutex: each unlock needs a lock before it";
    if (waiters_.empty()) {
      held_ = false;
    } else {
      waiters_.wake_front();
    }
  }

  bool is_unlocked() const { return !held_; }

  /// lock and unlock by other names.
  void acquire() { lock(); }
  void release() { unlock(); }

 private:
  friend class ConditionVariable;

  /// Locks for a task that is suspended: wakes it when the lock is its.
  void lock_for(detail::Waiter* waiter) {
    if (trylock()) {
      detail::scheduler().wake(waiter->worker);
    } else {
      waiter->worker->waits = detail::WaitReason(detail::WaitReason::Kind::Mutex, this);
      waiters_.push(waiter);
    }
  }

  detail::WaiterQueue<detail::Waiter> waiters_;  // not copyable, hence neither is Mutex
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
