#pragma once

/// Waits for work and completions on any core, under a name that all cores know.
///
/// An event is a file-scope object, and so has the same address on all cores:
/// `GlobalCompletionEvent event;` and then `finish<&event>(body)`, `spawn<&event>(body)`,
/// `forall<async, &event>(...)`. Each core has its own part of the event and counts there: tasks
/// and messages of the event, like those of a finish scope (finish_scope.hpp), and the completions
/// that enroll() announces. A completion must occur on the core that has enrolled it. An event can
/// be reused after wait(). An event is initialised before any code runs.
///
/// The parts form the tree of finish_scope.hpp, and the home, core 0, is its root: the event is
/// complete when the home's own count is zero. A finish scope starts at its home, but an event may
/// start on any core. The home must count a unit of work before another core counts anything:
///
///  1. A core in the tree just counts. Its parent has open work until the core leaves the tree, and
///     so on up to the home, whose count is above zero.
///  2. A core outside of the tree asks the home to open one unit of work, and waits for the answer.
///     From then on the home's count is above zero until the unit is given back.
///  3. When the answer arrives, there are three cases. If the core is outside of the tree, it
///     enters as a child of the home and owes this unit. It counts its first work without a switch
///     in between, so it cannot leave earlier. If the core has become a child of the home
///     meanwhile, it owes the home one more unit. If it has become a child of another core, 1 holds
///     without the unit, and the core gives the unit back at once. In all cases each unit is given
///     back once, and not before the core has left the tree or has another parent.
///  4. No core enters below itself, because a core outside of the tree has no children.
///
/// When enroll() has returned, or work has been started, the home's count is above zero until that
/// work has ended, whatever happens on other cores. wait() checks the home's count, on the home or
/// by a message. If work is started outside of the event and is not ordered with a wait(), for
/// example on another core, this work may belong to the next round of the event. Every waiting task
/// is woken individually, on another core by a message, so a task that already waits for the next
/// round is not woken by mistake.

#include "system/base/compiler.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/tasking/spawn.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace Grappa {

namespace detail {
class InEvent;
struct DefaultEvent;
}  // namespace detail

class GlobalCompletionEvent : private detail::RemoteScope {
 public:
  constexpr GlobalCompletionEvent() = default;
  GlobalCompletionEvent(const GlobalCompletionEvent&) = delete;
  GlobalCompletionEvent& operator=(const GlobalCompletionEvent&) = delete;

  /// Announces `n` completions, 0 or more, which must occur on this core. From: task or handler.
  /// Suspends: until the home has answered, if this core has no work of the event.
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
  void reset();

 private:
  friend class detail::InEvent;
  friend struct detail::DefaultEvent;

  struct Waiter {
    Core core;
    detail::Worker* worker;
  };

  void be_named() {
    if (GRAPPA_UNLIKELY(wire_id == 0)) take_name();
  }
  void take_name();
  void bring_in();
  void open_unit();
  void add_waiter(Waiter waiter);
  static void wake(Waiter waiter);
  static void on_drained(detail::TaskScope* scope);

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

extern GlobalCompletionEvent local_gce;  // its name in the original Grappa

struct DefaultEvent {
  /// Whether the program calls default_gce().
  static bool wanted;

  /// If `wanted`, makes the default event the scope of the main task. The main task itself is not
  /// work of the event. From: the main task, before its body.
  static void enter_main();
};

/// Instantiated only in programs that call default_gce().
template <class Unused>
struct DefaultEventIsWanted {
  static const bool value;
};
template <class Unused>
const bool DefaultEventIsWanted<Unused>::value = DefaultEvent::wanted = true;

/// True for an event, false for null. (With -fsanitize=undefined, g++ does not accept a comparison
/// with null as a constant.)
template <GlobalCompletionEvent* E>
struct IsEvent : std::true_type {};
template <>
struct IsEvent<nullptr> : std::false_type {};

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
/// the event has ended, including the work of other tasks. Messages: like enroll() and wait(), and
/// at most one for each run of counted messages.
template <GlobalCompletionEvent* event, class F>
void finish(F body) {
  static_assert(detail::IsEvent<event>::value,
                "finish<&event> needs an event: name one, or call finish(body)");
  {
    const detail::InEvent in(event);
    body();
  }
  event->wait();
}

}  // namespace Grappa
