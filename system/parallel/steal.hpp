#pragma once

/// Work stealing: idle cores take unbound tasks from busy cores.
///
/// A core runs its own stealable tasks newest first, which keeps the memory of a recursion small.
/// Thieves take the oldest tasks, which tend to be the largest, up to half of them at a time. An
/// idle core registers with its neighbours on a hypercube and then sends no more messages; a
/// neighbour sends tasks when it has some. So a job without work sends no messages. After running
/// stolen work, an idle core first tries a few random victims. (V. Saraswat, P. Kambadur, S.
/// Kodali, D. Grove, S. Krishnamoorthy, "Lifeline-based Global Load Balancing", PPoPP 2011.) A task
/// that moves is a counted message of its scope, so a scope ends exactly when its work has ended.

#include "system/message/append.hpp"
#include "system/net/topology.hpp"
#include "system/tasking/spawn.hpp"
#include "system/tasking/task.hpp"

#include <type_traits>

namespace Grappa {
namespace detail {

template <class F>
struct StealableBody {
  static void start(const F& body) {
    start_stealable_task(
        StealableTask{Task{Closure::make(body), current_scope()}, &StealableBody::send});
  }

  /// The message replaces the task in the count of its scope.
  static void send(Task* task, Core thief) {
    const F body = task->body.template body<F>();
    task->body.template destroy<F>();
    append<Acknowledged::ByRun, MayWait::Never>(thief, task->scope, Arrival{body});
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
    StealableBody<F>::start(body);
  }
};

template <>
struct Spawner<TaskMode::Bound> {
  template <class F>
  static void spawn(const F& body) {
    Grappa::spawn(body);
  }
};

/// Connects the scheduler to the other cores. Called once at start-up.
void start_stealing();
void steal();
void share();

}  // namespace detail

/// spawn<unbound>(body) starts a task that an idle core may steal; spawn<bound>(body) is
/// spawn(body). The task joins the caller's scope. The body of an unbound task must be trivially
/// copyable, and must not refer to objects of this core that are not at the same address on other
/// cores. Messages: none; 1 for each core that the task moves to.
template <TaskMode M, class F>
void spawn(F body) {
  detail::Spawner<M>::spawn(body);
}

}  // namespace Grappa
