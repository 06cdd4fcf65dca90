#pragma once

/// Tasks that wait for one object, each with a note of what it waits for: first in, first out.
///
/// For objects that must know more of a waiter than its worker (how many units, which lock, where a
/// value goes), because they grant what it waits for in the moment in which they wake it: a
/// newcomer that arrives before the woken task runs finds it gone. The note is a struct derived
/// from Waiter on the waiter's own stack, where it stays until the waiter runs again, so nothing is
/// allocated. The queue is one word, so that arrays of the objects around it fill blocks of the
/// global heap without padding. Invariant: the notes form a ring, from the youngest to the oldest.

#include "system/base/check.hpp"
#include "system/tasking/scheduler.hpp"

namespace Grappa {
namespace detail {

/// False before and after the job, and in other threads. What is destroyed then lies at file scope,
/// and tasks that still wait for it are never resumed.
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

  /// Drops all that wait, who are never to be woken: at the end of a job only.
  void abandon() { youngest_ = nullptr; }

  /// The note of the task that has waited longest. There must be one.
  Note& front() { return *static_cast<Note*>(youngest_->next); }

  /// Enters the running task with `note`; `reason` is for reports. From: task or handler. Suspends:
  /// until woken.
  void suspend(Note* note, WaitReason reason = WaitReason(WaitReason::Kind::Other)) {
    GRAPPA_CHECK(in_job()) << "this call waits, and only a task can wait: call it inside "
                              "Grappa::run";
    note->worker = scheduler().current();
    push(note);
    scheduler().suspend(reason);
  }

  /// Enters a task that is suspended already, with the note that it has on its stack.
  void push(Note* note);

  /// Takes the note of the task that has waited longest, and lets the task wait. There must be one.
  Note* pop();

  /// Wakes the task that has waited longest. There must be one. Does not switch.
  void wake_front() { scheduler().wake(pop()->worker); }

  /// Does not switch.
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
