#pragma once

/// Tasks of one core that wait for the same object: first in, first out.
///
/// Each waiting task may leave a note: a struct derived from Waiter, on its own stack, where the
/// note stays until the task runs again. Nothing is allocated. With notes the object can grant what
/// a task waits for at the moment of the wake-up, so that no newcomer takes it before the woken
/// task runs. The queue is one word, so that arrays of such objects fill blocks of the global heap
/// without padding. Invariant: the notes form a ring, from the youngest to the oldest.

#include "system/base/check.hpp"
#include "system/tasking/suspend.hpp"

namespace Grappa {
namespace detail {

struct Waiter {
  Worker* worker = nullptr;
  Waiter* next = nullptr;
};

template <class Note = Waiter>
class WaitQueue {
 public:
  WaitQueue() = default;
  WaitQueue(const WaitQueue&) = delete;
  WaitQueue& operator=(const WaitQueue&) = delete;

  /// At file scope a queue is destroyed after the job: tasks that still wait in it never run again.
  ~WaitQueue() { GRAPPA_CHECK(empty() || !in_job()) << "destroyed while tasks wait for it"; }

  bool empty() const { return youngest_ == nullptr; }

  /// Drops all waiting tasks, which then never run again: only at the end of a job.
  void abandon() { youngest_ = nullptr; }

  /// The note of the task that has waited longest. Not on an empty queue.
  Note& front() {
    GRAPPA_DCHECK(!empty()) << "no note is in the queue";
    return *static_cast<Note*>(youngest_->next);
  }

  /// The running task waits, with `note`; `reason` is for reports. From: task or handler. Suspends:
  /// until woken.
  void suspend(Note* note, WaitReason reason = WaitReason(WaitReason::Kind::Other)) {
    note->worker = waiting_worker();
    push(note);
    detail::suspend(reason);
  }

  /// The same without a note.
  void suspend(WaitReason reason = WaitReason(WaitReason::Kind::Other)) {
    Note self;
    suspend(&self, reason);
  }

  /// Adds a task that is suspended already, with the note on its stack.
  void push(Note* note);

  /// Removes the note of the task that has waited longest, which stays suspended. Not on an empty
  /// queue.
  Note* pop();

  /// Wakes the task that has waited longest. Not on an empty queue. Does not switch.
  void wake_front() { wake(pop()->worker); }

  /// Wakes the task that has waited longest; false if none waits. Does not switch.
  bool wake_one() {
    if (empty()) return false;
    wake_front();
    return true;
  }

  /// Does not switch.
  void wake_all() {
    while (wake_one()) {}
  }

 private:
  Waiter* youngest_ = nullptr;
};

template <class Note>
void WaitQueue<Note>::push(Note* note) {
  GRAPPA_DCHECK(note->next == nullptr) << "a task waits in two queues";
  if (youngest_ == nullptr) {
    note->next = note;
  } else {
    note->next = youngest_->next;
    youngest_->next = note;
  }
  youngest_ = note;
}

template <class Note>
Note* WaitQueue<Note>::pop() {
  GRAPPA_DCHECK(!empty()) << "no task waits";
  Waiter* const oldest = youngest_->next;
  if (oldest == youngest_) {
    youngest_ = nullptr;
  } else {
    youngest_->next = oldest->next;
  }
  oldest->next = nullptr;
  return static_cast<Note*>(oldest);
}

}  // namespace detail
}  // namespace Grappa
