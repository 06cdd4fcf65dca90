#pragma once

/// Waits for work that spreads over the cores.
///
/// finish(body) returns when all work that the body has started has ended: tasks, async delegates,
/// loops, and the work that these have started in turn, on any core. Scopes may be nested: a task
/// belongs to the scope in which it was started, and the work that it starts joins that scope.
///
/// A GlobalCompletionEvent is a scope with a name that all cores know: a file-scope object
/// `GlobalCompletionEvent event;`, and then `finish<&event>(body)`, `forall<async, &event>(...)`.
///
/// A core counts the tasks it runs and the counted messages it has sent. The cores with work form a
/// tree with the home of the scope as the root: if the home's count is zero, no core has work and
/// no message is in transit. (E. Dijkstra and C. Scholten, "Termination detection for diffusing
/// computations", Information Processing Letters 11(1), 1980.) docs/design.md has the proof.

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

Core home_of(const TaskScope& scope);  // the core that opened it; the scope must have a name
void install_scope_hooks();            // connects scopes to messages; called once at start-up

class FinishScope : public TaskScope {
 public:
  FinishScope();  // makes the scope the running task's; From: task
  FinishScope(const FinishScope&) = delete;
  FinishScope& operator=(const FinishScope&) = delete;
  ~FinishScope() {
    if (!left_) wait();
  }

  void wait();  // leaves the scope; called once, by the task that opened it

 private:
  TaskScope* const outer_;
  Worker* waiter_ = nullptr;
  bool left_ = false;
};

class InEvent;
struct DefaultEvent;

}  // namespace detail

/// From: task. Suspends: while work is open. Messages: at most 1 for each run of counted messages.
template <class F>
void finish(F body) {
  detail::FinishScope scope;
  body();
  scope.wait();
}

/// Each core has its own part of the event, and counts there the tasks and messages of the event
/// and the completions that enroll() announces. An event can be reused after wait(), and is
/// initialised before any code runs. If work is started outside of the event and is not ordered
/// with a wait(), this work may belong to the next round of the event.
class GlobalCompletionEvent : private detail::RemoteScope {
 public:
  constexpr GlobalCompletionEvent() = default;
  GlobalCompletionEvent(const GlobalCompletionEvent&) = delete;
  GlobalCompletionEvent& operator=(const GlobalCompletionEvent&) = delete;

  /// Announces `n` completions, 0 or more, which must occur on this core. From: task or handler.
  /// Suspends: until the home, core 0, has answered, if this core has no work of the event.
  /// Messages: 2 in that case, and 1 when this core has no work of the event any more.
  void enroll(int64_t n = 1);

  /// Completes `n` of the completions that this core has enrolled, 0 or more. Messages: 1 if this
  /// was the last work of the event on this core and the core is not the home.
  void complete(int64_t n = 1);

  /// Calls complete(n) on `core`, which has enrolled these completions. Suspends: in a task, while
  /// no message buffer is free. Messages: 1, or 0 if `core` is this core.
  void send_completion(int64_t core, int64_t n = 1);

  /// Waits until all work of the event has ended, on all cores. Any number of tasks may wait. From:
  /// a task or handler that is not itself work of the event. Suspends: unless the event is
  /// complete; on other cores than the home always. Messages: 2, or 0 on the home.
  void wait();

  /// The count of this core: enrolled completions, tasks and sent messages, and on the home also
  /// cores with work. An open run may count more messages than were sent. 0 if this core has no
  /// work of the event; other cores may have work.
  int64_t incomplete() const { return open; }

  void reset() { complete(enrolled_); }  // all that this core has enrolled

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

/// While this object exists, the work that the running task or handler starts joins `event` instead
/// of the previous scope, and the event is not complete. A null event changes nothing. From: task
/// or handler, which must also destroy it. Suspends: like enroll().
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

template <class Unused>
struct DefaultEventIsWanted {
  static const bool value;
};
template <class Unused>
const bool DefaultEventIsWanted<Unused>::value = DefaultEvent::wanted = true;

}  // namespace detail

/// In a program that calls this function, this event is the scope of the main task: async work that
/// the main task starts outside of a finish is work of the event, and default_gce().wait() in the
/// main task waits for it. Inside a finish or a loop, waiting for the event aborts the job.
template <class Unused = void>
GlobalCompletionEvent& default_gce() {
  static_cast<void>(detail::DefaultEventIsWanted<Unused>::value);
  return detail::local_gce;
}

/// Runs `body()` in the calling task as work of `event`, then waits for the event. From, Suspends:
/// like wait(). Messages: like enroll(), wait() and finish(body).
template <GlobalCompletionEvent* event, class F>
void finish(F body) {
  detail::finish_in(event, body);
}

}  // namespace Grappa
