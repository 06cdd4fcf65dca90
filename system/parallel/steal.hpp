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

#include <cstdint>
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

/// Runs iterations that idle cores may steal.
///
/// A task halves its range repeatedly. Each upper half becomes a stealable task, until the rest is
/// a single chunk, which runs at once. So a core processes its range from the beginning, and queues
/// at most one task per doubling of the range. A thief takes the oldest tasks and so gets the
/// largest ranges. (R. Blumofe and C. Leiserson, "Scheduling Multithreaded Computations by Work
/// Stealing", Journal of the ACM 46(5), 1999, shows why few tasks move.) Each task has a copy of
/// the body. Form::run(F& body, first, count) runs iterations.
template <class Form, class F>
struct SplitLoop {
  F body;
  int64_t first;
  int64_t count;
  int64_t chunk;

  /// Runs the iterations in the calling task and in tasks that it starts in the current scope. Some
  /// iterations may still run on return. An exception that leaves an iteration aborts the job.
  /// Suspends: if the body does.
  void operator()() noexcept {
    while (count > chunk) {
      const int64_t chunks = count / chunk + (count % chunk != 0 ? 1 : 0);
      const int64_t lower = (chunks - chunks / 2) * chunk;
      StealableBody<SplitLoop>::start(SplitLoop{body, first + lower, count - lower, chunk});
      count = lower;
    }
    if (count > 0) Form::run(body, first, count);
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
typename std::enable_if<M == TaskMode::Bound>::type spawn(F body) {
  spawn(body);
}
template <TaskMode M, class F>
typename std::enable_if<M == TaskMode::Unbound>::type spawn(F body) {
  static_assert(detail::WireSafe<F>::value, "");
  detail::check_closure(body);
  detail::StealableBody<F>::start(body);
}

}  // namespace Grappa
