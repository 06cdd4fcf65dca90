#include "system/tasking/task_queues.hpp"

namespace Grappa::detail {

Counter large_closures("tasking.large_closures", "tasks", "whose closure was put on the heap");
Counter tasks_run("tasking.tasks", "tasks", "started");

namespace {

Counter grown("tasking.grown", "workers", "made beyond num_workers because all others waited");

}  // namespace

void TaskQueues::push_stealable(const StealableTask& task) {
  if (task.task.scope != nullptr) task.task.scope->enroll(1);
  if (!task.task.body.is_inline()) ++large_closures;
  stealable_.push_back(task);
}

bool TaskQueues::steal(StealableTask* task) {
  if (stealable_.empty()) return false;
  *task = stealable_.pop_front();
  return true;
}

Task TaskQueues::take_slow(bool turn_of_later_queues) {
  if (!high_priority_.empty()) return high_priority_.pop_front();
  if (live_ >= num_workers_) ++grown;
  const bool later_first = turn_of_later_queues || ++taken_ % kTurnsOfTheFirstQueue == 0;
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
