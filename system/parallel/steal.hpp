#pragma once

/// Work stealing: idle cores take unbound tasks from busy cores (docs/design.md, Stealing). A task
/// that moves is a counted message of its scope. (V. Saraswat et al., "Lifeline-based Global Load
/// Balancing", PPoPP 2011.)

#include "system/message/append.hpp"
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

/// Runs iterations that idle cores may steal. A task halves its range repeatedly. Each upper half
/// becomes a stealable task with a copy of the body. (R. Blumofe and C. Leiserson, "Scheduling
/// Multithreaded Computations by Work Stealing", Journal of the ACM 46(5), 1999.)
template <class Body>
struct SplitLoop {
  Body body;  // (first, count)
  int64_t first;
  int64_t count;
  int64_t chunk;

  static void run(int64_t start, int64_t n, int64_t chunk, Body body) {
    SplitLoop{body, start, n, chunk}();
  }

  void operator()() noexcept {
    while (count > chunk) {
      const int64_t chunks = count / chunk + (count % chunk != 0 ? 1 : 0);
      const int64_t lower = (chunks - chunks / 2) * chunk;
      StealableBody<SplitLoop>::start(SplitLoop{body, first + lower, count - lower, chunk});
      count = lower;
    }
    if (count > 0) body(first, count);
  }
};

/// Connects the scheduler to the other cores. Called once at start-up.
void start_stealing();
void steal();
void share();

}  // namespace detail

/// If M is Bound, the same as spawn(body). If M is Unbound, starts a task that an idle core may
/// steal. The body of such a task must be trivially copyable, and must not refer to objects of this
/// core only. Messages: 1 for each move.
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
