#pragma once

/// Tasks that any core may run: idle cores take them from busy ones.
///
/// A core runs its own public tasks newest first, which keeps a recursion's memory small; other
/// cores take the oldest, which tend to be the largest, up to half of them at a time. An idle core
/// leaves word with its neighbours on a hypercube, who send tasks when they have some, and from
/// then on it is silent: a job without work sends no messages. Who has had tasks so asks a few
/// cores at random first when it is idle again. (V. Saraswat, P. Kambadur, S. Kodali, D. Grove, S.
/// Krishnamoorthy, "Lifeline-based Global Load Balancing", PPoPP 2011.) A task that moves is a
/// counted message of its scope, so that scopes end exactly when their work has.

#include "system/message/closure_check.hpp"
#include "system/message/send.hpp"
#include "system/message/wire_safe.hpp"
#include "system/sync/completion_event.hpp"
#include "system/tasking/spawn.hpp"
#include "system/tasking/task.hpp"

#include <type_traits>

namespace Grappa {
namespace detail {

template <class F>
struct PublicBody {
  static void start(const F& body) {
    scheduler().start_public_task(
        PublicTask{Task{Closure::make(body), current_scope()}, &PublicBody::send});
  }

  /// The message takes the place of the task in its scope's count.
  static void send(Task* task, Core thief) {
    const F body = task->body.template body<F>();
    task->body.template destroy<F>();
    aggregator().append<Acknowledged::ByRun, MayWait::Never>(thief, task->scope, Arrival{body});
    if (task->scope != nullptr) task->scope->complete(1);
  }

  struct Arrival {
    F body;
    void operator()() { start(body); }
  };
};

template <TaskMode M>
struct Spawner {
  template <class F>
  static void spawn(const F& body) {
    static_assert(WireSafe<F>::value, "");
    check_closure(body);
    PublicBody<F>::start(body);
  }
};

template <>
struct Spawner<TaskMode::Bound> {
  template <class F>
  static void spawn(const F& body) {
    Grappa::spawn(body);
  }
};

/// Connects the scheduler to the cores around; called once at start-up.
void start_stealing();
void steal();
void share();

}  // namespace detail

/// spawn<unbound>(body) starts a task that an idle core may take; spawn<bound>(body) is
/// spawn(body). It joins the caller's scope. What is unbound may travel: its body is trivially
/// copyable, and names nothing of this core but what it would find at the same place elsewhere.
/// From: any. Messages: none; 1 for each core that the task moves to.
template <TaskMode M, class F>
void spawn(F body) {
  detail::Spawner<M>::spawn(body);
}

/// The same for a task that `event`, of this core, waits for. `event` outlives it. Messages: 1 more
/// if the task ends on another core.
template <TaskMode M, class F>
void spawn(CompletionEvent* event, F body) {
  const Core home = mycore();
  event->enroll();
  const auto with_event = [event, home, body]() mutable {
    body();
    if (home == mycore()) {
      event->complete();
    } else {
      detail::send_counted(home, [event] { event->complete(); });
    }
  };
  if (M == TaskMode::Unbound) detail::check_closure(body);
  spawn<M>(unchecked(with_event));
}

}  // namespace Grappa
