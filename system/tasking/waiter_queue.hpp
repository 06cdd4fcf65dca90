#pragma once

/// A FIFO queue of tasks that wait for one object. Each task enters with a note.
///
/// The note stores data of the request, such as a number of units, a lock, or the destination of a
/// value. The object grants the request when it wakes the task, so a task that arrives before the
/// woken task runs cannot take the granted units. The note is a struct derived from Waiter on the
/// stack of the waiting task, so no memory is allocated. The queue is one word, so arrays of such
/// objects need no padding in the global heap. Invariant: the notes form a ring, from the youngest
/// to the oldest.

#include "system/base/check.hpp"
#include "system/tasking/scheduler.hpp"

namespace Grappa {
namespace detail {

/// False before and after the job, and in other threads. Objects destroyed outside the job are at
/// file scope, and tasks that still wait for them are never resumed.
inline bool in_job() { return !is_absent(the_scheduler); }

struct Waiter {
  Worker* worker = nullptr;
  Waiter* next = nullptr;
};

template <class Note>
class WaiterQueue {
 public:
  WaiterQueue() = default;
  WaiterQueue(const WaiterQueue&) = delete;
  WaiterQueue& operator=(const WaiterQueue&) = delete;
  ~WaiterQueue() { GRAPPA_CHECK(empty() || !in_job()) << "destroyed while tasks wait for it"; }

  bool empty() const { return youngest_ == nullptr; }

  /// Drops all waiting tasks without waking them. Only valid at the end of a job.
  void abandon() { youngest_ = nullptr; }

  /// The note of the task that has waited longest. The queue must not be empty.
  Note& front() { return *static_cast<Note*>(youngest_->next); }

  /// Adds the running task with `note`. Reports print `reason`. Suspends: until woken.
  void suspend(Note* note, WaitReason reason = WaitReason(WaitReason::Kind::Other)) {
    GRAPPA_CHECK(in_job()) << "this call waits, and only a task can wait: call it inside "
                              "Grappa::run";
    note->worker = scheduler().current();
    push(note);
    scheduler().suspend(reason);
  }

  /// Adds a task that is already suspended, with the note on its stack.
  void push(Note* note);

  /// Removes the note of the oldest waiter without waking the task. The queue must not be empty.
  Note* pop();

  /// Wakes the task that has waited longest. The queue must not be empty. Does not switch.
  void wake_front() { scheduler().wake(pop()->worker); }

  /// Wakes all waiting tasks. Does not switch.
  void wake_all() {
    while (!empty()) wake_front();
  }

 private:
  Waiter* youngest_ = nullptr;
};

template <class Note>
void WaiterQueue<Note>::push(Note* note) {
  if (youngest_ == nullptr) {
    note->next = note;
  } else {
    note->next = youngest_->next;
    youngest_->next = note;
  }
  youngest_ = note;
}

template <class Note>
Note* WaiterQueue<Note>::pop() {
  Waiter* const oldest = youngest_->next;
  if (oldest == youngest_) {
    youngest_ = nullptr;
  } else {
    youngest_->next = oldest->next;
  }
  return static_cast<Note*>(oldest);
}

}  // namespace detail
}  // namespace Grappa
