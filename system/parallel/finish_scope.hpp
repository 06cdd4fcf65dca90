#pragma once

/// Waits for work that spreads over the cores.
///
/// finish(body) returns when all work that the body has started has ended, on any core: tasks,
/// async delegates, loops, and the work that these have started. Scopes may be nested. A task
/// belongs to the scope in which it was started, and its work joins the same scope.
///
/// A GlobalCompletionEvent is a scope with a name that all cores know: a file-scope object
/// `GlobalCompletionEvent event;`, and then `finish<&event>(body)`, `forall<async, &event>(...)`.
///
/// A core counts its open tasks and its unacknowledged counted messages. The cores with work form a
/// tree with the home of the scope as the root. If the count of the home is zero, no core has work
/// and no message is in transit. (E. Dijkstra and C. Scholten, "Termination detection for diffusing
/// computations", Information Processing Letters 11(1), 1980.) docs/design.md has the proof.

#include "system/base/ids.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"

#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

/// A scope on a core that is not its home. Invariant: `debt` is above zero, or a message of the
/// parent is executing here. So all cores between this core and the home have open work, too.
struct RemoteScope : TaskScope {
  Core parent = 0;        // the sender of the message that brought the first work
  int64_t debt = 0;       // acknowledgements owed to the parent
  int64_t executing = 0;  // runs of the scope that workers of this core execute

  bool in_tree() const { return debt != 0 || executing != 0; }
};

Core home_of(const TaskScope& scope);  // the core that opened the scope, which must have a name
void install_scope_hooks();            // connects scopes to messages; called once at start-up

class FinishScope : public TaskScope {
 public:
  FinishScope();  // the running task enters the scope; From: task
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

/// Runs `body()`, then waits until all work that it has started has ended. From: task. Suspends:
/// while work is open. Messages: at most 1 for each run of counted messages.
template <class F>
void finish(F body) {
  detail::FinishScope scope;
  body();
  scope.wait();
}

/// Each core has its own part of the event. The part counts the tasks and messages of the event,
/// and the completions that enroll() announces. An event is initialised before any code runs, and
/// can be reused after wait(). If work is started outside of the event, and its start is not
/// ordered with a wait(), it may belong to the next round of the event.
class GlobalCompletionEvent : private detail::RemoteScope {
 public:
  constexpr GlobalCompletionEvent() = default;
  GlobalCompletionEvent(const GlobalCompletionEvent&) = delete;
  GlobalCompletionEvent& operator=(const GlobalCompletionEvent&) = delete;

  /// Announces `n` completions, 0 or more, which must occur on this core. From: task or handler.
  /// Suspends: if this core has no work of the event, until the core above in the tree of
  /// collectives has answered. If that core has no work of the event either, it asks its own core
  /// above, up to the home, core 0. Messages: 2 for each core that asks, and 1 more when the work
  /// of the event on such a core has ended.
  void enroll(int64_t n = 1);

  /// Records `n` of the completions that this core has enrolled, 0 or more. Messages: 1 if this was
  /// the last work of the event on a core that is not the home.
  void complete(int64_t n = 1);

  /// Calls complete(n) on `core`, which has enrolled these completions. Suspends: in a task, while
  /// no message buffer is free. Messages: 1, or 0 if `core` is this core.
  void send_completion(int64_t core, int64_t n = 1);

  /// Waits until all work of the event has ended, on all cores. Any number of tasks may wait. From:
  /// a task or handler that is not itself work of the event. Suspends: on the home, unless the
  /// event is complete; on other cores, always. Messages: 2 on each level of the tree of
  /// collectives, shared by the tasks that wait. 0 on the home.
  void wait();

  /// The count of this core: enrolled completions, tasks and sent messages. The home also counts
  /// cores with work. While a run of messages is open, the count may include messages that are not
  /// yet sent. The count is 0 if this core has no work of the event, even if other cores have work.
  int64_t incomplete() const { return open; }

  void reset() { complete(enrolled_); }  // completes all that this core has enrolled

 private:
  friend class detail::InEvent;
  friend struct detail::DefaultEvent;

  struct Waiter {
    Core core;
    detail::Worker* worker;  // null: waiters of a core below
  };
  struct Waiting {
    std::vector<Waiter> arrived;  // on the home: to be answered when no work is open
    std::vector<Waiter> asked;    // get the answer of the core above
  };

  void be_named();
  void open_units(int64_t n);
  void enter_tree();
  void add_waiter(Waiter waiter);
  void ask_above();
  void answer(Waiter waiter);
  void answer_waiters(std::vector<Waiter>* waiters);

  int64_t enrolled_ = 0;  // from enroll() on this core; included in `open`
  std::vector<detail::Worker*>* entering_ = nullptr;  // wait until this core has entered the tree
  Waiting* waiting_ = nullptr;                        // null before the first waiter
};

namespace detail {

/// While this object exists, the work that the running task or handler starts joins `event` instead
/// of the previous scope, and the event is not complete. A null event changes nothing. From: task
/// or handler, which must also destroy the object. Suspends: the constructor, if enroll() does.
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

/// Runs `body()` as work of the event and waits for the event. If `event` is null: finish(body).
template <class F>
void finish_in(GlobalCompletionEvent* event, F& body) {
  if (event == nullptr) return finish(body);
  {
    const InEvent in(event);
    body();
  }
  event->wait();
}

extern GlobalCompletionEvent local_gce;  // the default event; the name is from the original Grappa

struct DefaultEvent {
  static bool wanted;  // true if the program calls default_gce()

  /// If `wanted`, makes the default event the scope of the main task. The task is not its work.
  static void enter_main();
};

template <class Unused>
struct DefaultEventIsWanted {
  static const bool value;
};
template <class Unused>
const bool DefaultEventIsWanted<Unused>::value = DefaultEvent::wanted = true;

}  // namespace detail

/// Returns the default event. In a program that calls this function, the event is the scope of the
/// main task. Async work that the main task starts outside of a finish is work of the event, and
/// default_gce().wait() in the main task waits for it. A wait in a finish or a loop aborts the job.
template <class Unused = void>
GlobalCompletionEvent& default_gce() {
  static_cast<void>(detail::DefaultEventIsWanted<Unused>::value);
  return detail::local_gce;
}

/// Runs `body()` in the calling task as work of `event`, then waits for the event. A null event is
/// the same as finish(body). From: like wait(). Suspends: like wait(). Messages: those of enroll(),
/// wait() and finish(body).
template <GlobalCompletionEvent* event, class F>
void finish(F body) {
  detail::finish_in(event, body);
}

}  // namespace Grappa
