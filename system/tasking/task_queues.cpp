#include "system/tasking/task_queues.hpp"

namespace Grappa::detail {

Counter large_closures("tasking.large_closures", "tasks", "whose closure was put on the heap");
Counter tasks_run("tasking.tasks", "tasks", "started");

namespace {

Counter grown("tasking.grown", "workers", "made beyond num_workers because all others waited");

// Times are in periods. The first three constants were chosen with the row workers.default of
// bench/gups, and on simulated networks.
constexpr int kStandstillsToGrow = 8;
constexpr uint64_t kBusyPart = 5;  // 1/5: the longest time between these standstills
constexpr int kShortTurns = 4;
constexpr uint64_t kUnsurePeriods = 10;

}  // namespace

WorkerLimit::WorkerLimit(int64_t busy_workers, int64_t num_workers, uint64_t period_ticks)
    : num_workers_(num_workers),
      busy_workers_(std::min(busy_workers, num_workers)),
      limit_(busy_workers_),
      period_(period_ticks) {
  GRAPPA_CHECK(busy_workers_ > 0) << "a limit of " << busy_workers_ << " tasks: give 1 or more";
}

void WorkerLimit::not_allowed(uint64_t now_ticks, uint64_t progress, Standstill standstill) {
  if (progress == progress_) {
    ++turns_;
    if (!grows_now(now_ticks, standstill)) return;
  } else {
    progress_ = progress;
    patience_ = 1;
    if (counted_) end_ticks_ = now_ticks;
    counted_ = false;
  }
  turns_ = 0;
  since_ticks_ = now_ticks;
}

void WorkerLimit::none_started(uint64_t now_ticks, uint32_t taken) {
  if (taken == taken_ && now_ticks - taken_ticks_ < kUnsurePeriods * period_) return;
  if (taken == taken_ && below_num_workers()) grow_by_half();
  taken_ = taken;
  taken_ticks_ = now_ticks;
}

void WorkerLimit::grow_by_half() {
  limit_ = std::min(num_workers_, limit_ + std::max<int64_t>(1, limit_ / 2));
}

/// Returns true if the limit has grown, or the standstill was counted.
bool WorkerLimit::grows_now(uint64_t now_ticks, Standstill standstill) {
  const uint64_t elapsed = now_ticks - since_ticks_;
  if (below_num_workers() && standstill != Standstill::Elsewhere && !counted_) {
    if (turns_ < kShortTurns || elapsed < period_ / kShortStandstills) return false;
    if (standstill == Standstill::Replies) {
      counted_ = true;
      if (now_ticks - end_ticks_ > period_ / kBusyPart + elapsed) standstills_ = 0;
      if (++standstills_ < kStandstillsToGrow) return true;
      standstills_ = 0;
    }
    grow_by_half();
    return true;
  }
  const bool surely = standstill == Standstill::Sure;
  const uint64_t unsure_periods = standstill == Standstill::Elsewhere ? 1000 : kUnsurePeriods;
  const uint64_t wait_ticks = period_ * (surely ? 1 : patience_ * unsure_periods);
  if (turns_ < kTurns || elapsed < wait_ticks) return false;
  const int64_t most = below_num_workers() ? num_workers_ : INT64_MAX;
  limit_ = std::min(most, limit_ + (surely ? std::max<int64_t>(1, limit_ / 4) : limit_));
  if (!surely) patience_ *= 2;
  return true;
}

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

void TaskQueues::consider_growth(uint64_t now_ticks, uint64_t progress, Standstill cause) {
  GRAPPA_DCHECK(held_up()) << "the limit on tasks holds up no task";
  if (has_needed()) limit_.none_started(now_ticks, taken_);
  if (buffer_waits_ != 0) {
    cause = Standstill::Elsewhere;
  } else if (cause == Standstill::Sure && !has_needed()) {
    cause = Standstill::Unsure;
  }
  limit_.not_allowed(now_ticks, progress, cause);
}

}  // namespace Grappa::detail
