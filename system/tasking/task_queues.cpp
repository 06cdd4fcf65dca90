#include "system/tasking/task_queues.hpp"

#include "system/base/check.hpp"
#include "system/observe/counters.hpp"

namespace Grappa::detail {

Counter large_closures("tasking.large_closures", "tasks", "whose closure was put on the heap");
Counter tasks_run("tasking.tasks", "tasks", "started");

namespace {

Counter grown("tasking.grown", "workers", "made beyond num_workers because all others waited");

void enroll(TaskScope* scope) {
  if (scope != nullptr) scope->enroll(1);
}

}  // namespace

TaskQueues::TaskQueues(int64_t num_workers, uint64_t growth_period_ticks,
                       const int64_t& buffer_waits)
    : num_workers_(num_workers),
      buffer_waits_(buffer_waits),
      limit_(num_workers, growth_period_ticks) {}

void TaskQueues::push_high_priority(const Closure& body, TaskScope* scope) {
  enroll(scope);
  high_priority_.push_back(Task{body, scope});
}

void TaskQueues::push_helper(const Closure& body, TaskScope* scope) {
  enroll(scope);
  helpers_.push_back(Task{body, scope});
}

void TaskQueues::push_stealable(const StealableTask& task) {
  enroll(task.task.scope);
  if (!task.task.body.is_inline()) ++large_closures;
  stealable_.push_back(task);
}

bool TaskQueues::steal(StealableTask* task) {
  if (stealable_.empty()) return false;
  *task = stealable_.pop_front();
  return true;
}

Task TaskQueues::take_slow(bool turn) {
  if (!high_priority_.empty()) return high_priority_.pop_front();
  if (live_ >= num_workers_) ++grown;
  const bool later_first = turn || ++taken_ % kTurnsOfTheFirstQueue == 0;
  if (later_first && !stealable_.empty()) return stealable_.pop_back().task;
  if (later_first && helpers() != 0) return helpers_.pop_front();
  if (!bound_.empty()) return bound_.pop_front();
  if (helpers() != 0) return helpers_.pop_front();
  return stealable_.pop_back().task;
}

void TaskQueues::consider_growth(uint64_t now_ticks, uint64_t progress, bool unsure) {
  GRAPPA_DCHECK(held_up()) << "the limit on tasks holds up no task";
  limit_.not_allowed(now_ticks, progress,
                     buffer_waits_ != 0          ? Standstill::Elsewhere
                     : (unsure || !has_needed()) ? Standstill::Unsure
                                                 : Standstill::Sure);
}

}  // namespace Grappa::detail
