#pragma once

/// Waiting for a number of things that happen anywhere on the machine, by a name known everywhere.
///
/// A file-scope object, so that it lies at one address on all cores: `GlobalCompletionEvent event;`
/// and then `finish<&event>(body)`, `spawn<&event>(body)`, `forall<async, &event>(...)`. Each core
/// has its part of it and counts there: tasks and messages of the event like those of a finish
/// scope (finish_scope.hpp), and what enroll() announces, which is completed on the core that has
/// enrolled it. It serves again after wait(). It is initialised before any code runs.
///
/// The parts form the tree of finish_scope.hpp, and the home, core 0, is its root: the event is
/// complete when the home's own count is zero. A finish scope begins at its home; an event may
/// begin anywhere, and before a core counts anything the home must know. So:
///
///  1. A core in the tree just counts. Its parent has open work until it leaves, and so on up to
///     the home, whose count is above zero.
///  2. A core that is not in it asks the home to open one unit of work, and waits for the answer.
///     From the moment in which the home has done so its count is above zero, and it stays so until
///     the unit is given back.
///  3. The answer finds the core outside: it enters as a child of the home that owes this unit, in
///     the same stretch of code in which it then counts its first work, so that it cannot leave in
///     between. Or another task's answer or a message of the home's has brought it in: it owes the
///     home one unit more. Or a message of another core has: then 1 holds without the unit, and it
///     is given back at once. In every case each unit is given back once, and not before the core
///     has left the tree or is held in it by somebody else.
///  4. Nobody enters below itself: a core that is outside has no children, so the tree stays one.
///
/// Hence when enroll() has returned, or work has been started, the home's count is above zero until
/// that work has ended, whatever happens at the same time elsewhere. wait() looks at the home's
/// count, on the home itself or by a message to it. Work that somebody starts who is not in the
/// event and is not ordered with a wait(), say on another core, may come too late for it; it then
/// belongs to the next round. Those who wait are woken one by one, by a message to each on another
/// core: so who waits for the next round already is not mistaken for somebody of this one.

#include "system/base/compiler.hpp"
#include "system/parallel/scope_tree.hpp"
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

  /// `n` more things to wait for, 0 or more, which this core is to complete.
  /// From: task or handler. Suspends: until the home knows, if this core has no work of the event.
  /// Messages: 2 in that case, and 1 when this core has no work of it any more.
  void enroll(int64_t n = 1);

  /// `n` of those that this core has enrolled, 0 or more, have happened. Does not switch.
  /// Messages: 1 if they are the last work of the event on this core, and it is not the home.
  void complete(int64_t n = 1);

  /// complete(n) on `core`, which has enrolled them. Suspends: in a task, while no message buffer
  /// is free. Messages: 1, or 0 if `core` is this one.
  void send_completion(int64_t core, int64_t n = 1);

  /// Waits until all tasks, messages and enrolled things of the event, on all cores, have ended.
  /// Any number of tasks of any cores may wait. From: task or handler that is not itself work of
  /// the event. Suspends: unless it is complete; on another core than the home always. Messages: 2,
  /// or 0 on the home.
  void wait();

  /// What this core counts: things enrolled, its tasks, and messages sent, for which there may be
  /// some in reserve; at the home also cores that have work. 0 if this core has no work of the
  /// event; others may have.
  int64_t incomplete() const { return open; }

  /// Takes back all that this core has enrolled and not completed. Does not switch.
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
  std::vector<Waiter>* waiters_ = nullptr;  // on the home; null before the first
};

namespace detail {

/// While it exists, the running task or handler is in `event`: what it starts joins that instead of
/// the scope before, and the event is not complete. Null: nothing changes. From: task or handler,
/// to be destroyed by it. Suspends: like enroll().
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

extern GlobalCompletionEvent local_gce;  // the name that programs of the original know

struct DefaultEvent {
  /// Whether the program calls default_gce().
  static bool wanted;

  /// If it is wanted, makes the default event the scope of the main task, which is not itself work
  /// of the event. From: the main task, before its body.
  static void enter_main();
};

/// A part of the programs that call default_gce(), and of no others.
template <class Unused>
struct DefaultEventIsWanted {
  static const bool value;
};
template <class Unused>
const bool DefaultEventIsWanted<Unused>::value = DefaultEvent::wanted = true;

/// Whether a template argument is an event. (With -fsanitize=undefined g++ does not take a
/// comparison with null for a constant.)
template <GlobalCompletionEvent* E>
struct IsEvent : std::true_type {};
template <>
struct IsEvent<nullptr> : std::false_type {};

}  // namespace detail

/// An event for programs that want no name for it. In a program that calls this function it is the
/// scope of the main task: async work that this starts outside of a finish is work of the event,
/// and default_gce().wait() in the main task waits for it. Inside of a finish or of a loop async
/// work belongs to that, so waiting there aborts the job.
template <class Unused = void>
GlobalCompletionEvent& default_gce() {
  static_cast<void>(detail::DefaultEventIsWanted<Unused>::value);
  return detail::local_gce;
}

/// Runs `body()` in the calling task, whose tasks, loops and delegates join `event`, then waits for
/// the event. From: a task that is not itself work of the event. Suspends: until all work of the
/// event has ended, that of others too. Messages: like enroll() and wait(), and at most one for
/// each run of counted messages.
template <GlobalCompletionEvent* event, class F>
void finish(F body) {
  static_assert(detail::IsEvent<event>::value,
                "finish waits for an event: name one, or leave it out");
  {
    const detail::InEvent in(event);
    body();
  }
  event->wait();
}

}  // namespace Grappa
