#pragma once

/// Waits for work that spreads over the cores.
///
/// finish(body) returns when all work that the body has started has ended: tasks, async delegates,
/// loops, and the work that these have started in turn, on any core. Scopes may be nested: a task
/// belongs to the scope in which it was started, and the work that it starts joins that scope.
///
/// A GlobalCompletionEvent is a scope with a name that all cores know, for work that begins on any
/// core: a file-scope object `GlobalCompletionEvent event;`, and then `finish<&event>(body)`,
/// `spawn<&event>(body)`, `forall<async, &event>(...)`.
///
/// Counting is local. A core counts the tasks it runs and the counted messages it has sent; one
/// acknowledgement reports many executed messages. The cores with work form a tree with the home of
/// the scope as the root: if the home's count is zero, no core has work and no message is in
/// transit. (E. Dijkstra and C. Scholten, "Termination detection for diffusing computations",
/// Information Processing Letters 11(1), 1980.) docs/design.md has the proof.

#include "system/base/ids.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"

#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

/// A scope on a core that is not its home. Invariant: `debt` is above zero, or a message of the
/// parent is executing here. So the parent has open work, too, and so on up to the home.
struct RemoteScope : TaskScope {
  Core parent = 0;        // the sender of the message that brought the first work
  int64_t debt = 0;       // acknowledgements owed to the parent
  int64_t executing = 0;  // runs of the scope that workers of this core execute

  bool in_tree() const { return debt != 0 || executing != 0; }
};

/// The core that has opened a scope. The scope must have a name.
Core home_of(const TaskScope& scope);

/// Connects scopes to messages. Called once at start-up.
void install_scope_hooks();

class FinishScope : public TaskScope {
 public:
  /// Opens a scope and makes it the running task's. From: task.
  FinishScope();
  FinishScope(const FinishScope&) = delete;
  FinishScope& operator=(const FinishScope&) = delete;
  ~FinishScope() {
    if (!left_) wait();
  }

  /// Leaves the scope and waits until its work has ended. Called once, by the task that opened it.
  void wait();

 private:
  TaskScope* const outer_;
  Worker* waiter_ = nullptr;
  bool left_ = false;
};

class InEvent;
struct DefaultEvent;

}  // namespace detail

/// Runs `body()` in the calling task and waits until all work that was started inside has ended.
/// From: task. Suspends: while work is open. Messages: at most one for each run of counted
/// messages.
template <class F>
void finish(F body) {
  detail::FinishScope scope;
  body();
  scope.wait();
}

/// Each core has its own part of the event and counts there: tasks and messages of the event, and
/// the completions that enroll() announces. A completion must occur on the core that has enrolled
/// it. An event can be reused after wait(), and is initialised before any code runs. If work is
/// started outside of the event and is not ordered with a wait(), this work may belong to the next
/// round of the event.
class GlobalCompletionEvent : private detail::RemoteScope {
 public:
  constexpr GlobalCompletionEvent() = default;
  GlobalCompletionEvent(const GlobalCompletionEvent&) = delete;
  GlobalCompletionEvent& operator=(const GlobalCompletionEvent&) = delete;

  /// Announces `n` completions, 0 or more, which must occur on this core. From: task or handler.
  /// Suspends: until the home, core 0, has answered, if this core has no work of the event.
  /// Messages: 2 in that case, and 1 when this core has no work of the event any more.
  void enroll(int64_t n = 1);

  /// Completes `n` of the completions that this core has enrolled, 0 or more. Does not switch.
  /// Messages: 1 if this was the last work of the event on this core and the core is not the home.
  void complete(int64_t n = 1);

  /// Calls complete(n) on `core`, which has enrolled these completions. Suspends: in a task, while
  /// no message buffer is free. Messages: 1, or 0 if `core` is this core.
  void send_completion(int64_t core, int64_t n = 1);

  /// Waits until all tasks, messages and enrolled completions of the event have ended, on all
  /// cores. Any number of tasks on any cores may wait. From: a task or handler that is not itself
  /// work of the event. Suspends: unless the event is complete; on other cores than the home
  /// always. Messages: 2, or 0 on the home.
  void wait();

  /// The count of this core: enrolled completions, tasks and sent messages, and on the home also
  /// cores with work. An open run may count more messages than were sent. 0 if this core has no
  /// work of the event; other cores may have work.
  int64_t incomplete() const { return open; }

  /// Completes all that this core has enrolled and not completed. Does not switch.
  void reset() { complete(enrolled_); }

 private:
  friend class detail::InEvent;
  friend struct detail::DefaultEvent;

  struct Waiter {
    Core core;
    detail::Worker* worker;
  };

  void be_named();
  void open_units(int64_t n);
  static void wake(Waiter waiter);

  int64_t enrolled_ = 0;                    // by enroll(), on this core; part of `open`
  std::vector<Waiter>* waiters_ = nullptr;  // on the home; null before the first waiter
};

namespace detail {

/// While this object exists, the running task or handler is in `event`: the work that it starts
/// joins `event` instead of the previous scope, and the event is not complete. A null event changes
/// nothing. From: task or handler, which must also destroy it. Suspends: like enroll().
class InEvent {
 public:
  explicit InEvent(GlobalCompletionEvent* event)
      : event_(event), outer_(current_scope()), changed_(event != nullptr && event != outer_) {
    if (changed_) enter();
  }
  ~InEvent() {
    if (changed_) leave();
  }
  InEvent(const InEvent&) = delete;
  InEvent& operator=(const InEvent&) = delete;

 private:
  void enter();
  void leave();

  GlobalCompletionEvent* const event_;
  TaskScope* const outer_;
  const bool changed_;
};

/// finish() in an event; null: in a scope of its own.
template <class F>
void finish_in(GlobalCompletionEvent* event, F& body) {
  if (event == nullptr) return finish(body);
  {
    const InEvent in(event);
    body();
  }
  event->wait();
}

extern GlobalCompletionEvent local_gce;  // its name in the original Grappa

struct DefaultEvent {
  static bool wanted;  // the program calls default_gce()

  /// If `wanted`, makes the default event the scope of the main task, which is not work of it.
  static void enter_main();
};

/// Instantiated only in programs that call default_gce().
template <class Unused>
struct DefaultEventIsWanted {
  static const bool value;
};
template <class Unused>
const bool DefaultEventIsWanted<Unused>::value = DefaultEvent::wanted = true;

}  // namespace detail

/// An event for programs that need no name for it. In a program that calls this function, the event
/// is the scope of the main task: async work that the main task starts outside of a finish is work
/// of the event, and default_gce().wait() in the main task waits for it. Async work inside a finish
/// or a loop belongs to that finish or loop, so waiting there aborts the job.
template <class Unused = void>
GlobalCompletionEvent& default_gce() {
  static_cast<void>(detail::DefaultEventIsWanted<Unused>::value);
  return detail::local_gce;
}

/// Runs `body()` in the calling task, with its tasks, loops and delegates in `event`, then waits
/// for the event. From: a task that is not itself work of the event. Suspends: until all work of
/// the event has ended. Messages: like enroll(), wait() and finish(body).
template <GlobalCompletionEvent* event, class F>
void finish(F body) {
  detail::finish_in(event, body);
}

}  // namespace Grappa
