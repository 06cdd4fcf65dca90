#pragma once

/// The limit of started tasks: num_workers, or more if that limit prevents progress.
///
/// All started tasks may wait for a queued task, by suspending or by repeated yields. In such a
/// standstill no worker is woken and no task ends. While tasks are queued:
/// - If the limit is the only possible cause, it grows by a quarter per period without progress,
/// and so a thousandfold in thirty periods.
/// - If there may be another cause, the limit doubles after ten periods, again after twenty more,
/// and so on. The limit thus grows in proportion to the lost time. Other causes are tasks that
/// yield or wait for replies, and queues that contain only helper tasks.
/// - If a task waits for a buffer, another core will return a buffer as soon as that core is
/// scheduled. The limit then grows only after a thousand periods.
///
/// When fewer than num_workers started tasks are left, the limit returns to num_workers.

#include "system/base/check.hpp"

#include <algorithm>
#include <cstdint>

namespace Grappa {
namespace detail {

/// The cause of a standstill, as far as it is known.
enum class Standstill {
  Sure,      // the limit is the only possible cause
  Unsure,    // tasks may resume without new workers, or only helper tasks are queued
  Elsewhere  // another core is the cause
};

class WorkerLimit {
 public:
  WorkerLimit(int64_t num_workers, uint64_t period_ticks)
      : num_workers_(num_workers), limit_(num_workers), period_(period_ticks) {
    GRAPPA_CHECK(num_workers > 0) << "a limit of " << num_workers << " tasks: give 1 or more";
  }

  bool allows(int64_t live_tasks) const { return live_tasks < limit_; }

  /// Called in each turn of the poller in which queued tasks were not allowed to start. `progress`
  /// is a count of progress events.
  void not_allowed(uint64_t now_ticks, uint64_t progress, Standstill standstill) {
    if (progress != progress_) {
      begin_to_wait(now_ticks, progress);
      return;
    }
    ++turns_;
    if (turns_ < kTurns || now_ticks - since_ticks_ < wait_ticks(standstill)) return;
    const bool surely = standstill == Standstill::Sure;
    limit_ += surely ? std::max<int64_t>(1, limit_ / 4) : limit_;
    turns_ = 0;
    since_ticks_ = now_ticks;
    if (!surely) patience_ *= 2;
  }

  void task_ended(int64_t live_tasks) {
    GRAPPA_DCHECK(live_tasks >= 0) << live_tasks << " tasks are live";
    if (live_tasks < num_workers_) limit_ = num_workers_;
  }

 private:
  /// Minimum number of turns without progress. A process that was descheduled has lost no turns.
  static constexpr int kTurns = 64;

  static constexpr uint64_t kUnsurePeriods = 10;
  static constexpr uint64_t kElsewherePeriods = 1000;

  uint64_t wait_ticks(Standstill standstill) const {
    switch (standstill) {
      case Standstill::Sure: return period_;
      case Standstill::Unsure: return kUnsurePeriods * patience_ * period_;
      case Standstill::Elsewhere: break;
    }
    return kElsewherePeriods * patience_ * period_;
  }

  void begin_to_wait(uint64_t now_ticks, uint64_t progress) {
    progress_ = progress;
    since_ticks_ = now_ticks;
    turns_ = 0;
    patience_ = 1;
  }

  const int64_t num_workers_;
  int64_t limit_;
  const uint64_t period_;
  uint64_t patience_ = 1;
  uint64_t since_ticks_ = 0;
  uint64_t progress_ = ~uint64_t{0};  // at the begin of the standstill; initially none
  int turns_ = 0;
};

}  // namespace detail
}  // namespace Grappa
