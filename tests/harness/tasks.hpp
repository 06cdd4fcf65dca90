#pragma once

/// Tasks on one core, for tests of layers below messages. The test owns the scheduler, which stops
/// when the main task ends.

#include "system/tasking/scheduler.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"

namespace Grappa {

/// A core without a network. It can run several main tasks, one after another.
class TaskRunner {
 public:
  explicit TaskRunner(const detail::TaskingOptions& options = detail::TaskingOptions(),
                      const detail::SchedulerHooks& hooks = detail::SchedulerHooks())
      : scheduler_(options, hooks) {
    scope_.drained = [](detail::TaskScope* scope) { static_cast<Scope*>(scope)->wake_waiting(); };
  }

  /// Runs `body` as the main task and returns when it has ended. Other tasks then stay unfinished.
  template <class F>
  void run(F body) {
    scheduler_.start_main(detail::Closure::make([this, &body] {
      scheduler_.set_scope(&scope_);
      body();
      scheduler_.set_scope(nullptr);
      scheduler_.stop();
    }));
    scheduler_.run();
  }

  /// Waits for the tasks that the main task has spawned, directly or indirectly.
  /// From: the main task. Suspends: until these tasks have ended.
  void wait_for_tasks() {
    if (scope_.open == 0) return;
    scope_.waiting = scheduler_.current();
    scheduler_.suspend();
  }

  detail::Scheduler& scheduler() { return scheduler_; }

 private:
  struct Scope : detail::TaskScope {
    detail::Worker* waiting = nullptr;

    void wake_waiting() {
      if (waiting != nullptr) Grappa::detail::scheduler().wake(waiting);
      waiting = nullptr;
    }
  };

  Scope scope_;
  detail::Scheduler scheduler_;
};

/// Runs `body` as the main task of a new core and waits for all spawned tasks.
template <class F>
void run_tasks(const detail::TaskingOptions& options, const detail::SchedulerHooks& hooks, F body) {
  TaskRunner runner(options, hooks);
  runner.run([&] {
    body();
    runner.wait_for_tasks();
  });
}

template <class F>
void run_tasks(const detail::TaskingOptions& options, F body) {
  run_tasks(options, detail::SchedulerHooks(), body);
}

template <class F>
void run_tasks(F body) {
  run_tasks(detail::TaskingOptions(), detail::SchedulerHooks(), body);
}

/// Spawns `n` tasks, each of which waits in `queue` and then runs body(id). Returns when all tasks
/// wait.
template <class F>
void spawn_behind(detail::WaitQueue<>* queue, int n, F body) {
  int arrived = 0;
  for (int id = 0; id < n; ++id) {
    spawn([queue, id, body, &arrived] {
      ++arrived;
      queue->suspend();
      body(id);
    });
  }
  while (arrived < n) yield();
}

}  // namespace Grappa
