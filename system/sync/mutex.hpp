#pragma once

/// Mutual exclusion between the tasks of one core.
///
/// Tasks switch only where one suspends, so plain fields suffice: no atomics, no spinning. Needed
/// only when the critical section itself suspends (a delegate call, a wait); any other section is
/// exclusive already. The lock has no owner: one task may lock it and another unlock it. unlock()
/// hands it to the oldest waiter, so locking in a loop cannot starve the others. Invariant: a task
/// waits only while held_ is set.

#include "system/base/check.hpp"
#include "system/tasking/wait_queue.hpp"

namespace Grappa {

class Mutex {
 public:
  ~Mutex() { GRAPPA_DCHECK(!held_) << "mutex destroyed while held"; }

  /// From: task or handler. Suspends: while the lock is held.
  void lock() {
    if (held_) waiters_.suspend();  // unlock() leaves held_ set for the task it wakes
    held_ = true;
  }

  /// True if the lock was free and is now taken.
  bool trylock() { return held_ ? false : (held_ = true); }

  void unlock() {
    GRAPPA_DCHECK(held_) << "unlock of a free mutex";
    held_ = waiters_.wake_one();
  }

  bool is_unlocked() const { return !held_; }

 private:
  WaitQueue waiters_;  // first in, first out; not copyable, hence neither is Mutex
  bool held_ = false;
};

}  // namespace Grappa
