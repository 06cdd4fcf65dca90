#pragma once

/// How many tasks may be under way at a time: num_workers, and more when that stands in the way.
///
/// Tasks under way may all be waiting for what a queued one will do, by suspending or by yielding
/// again and again. Then nothing makes progress: no worker is woken, no task ends. If that lasts
/// for a period while tasks are queued, the limit grows by a quarter: a program that needs a
/// thousand times as many has them after thirty periods. Where it may well be that nothing is
/// wrong, since some yield or wait for answers, or since what is queued are only further tasks of
/// loops, it doubles after ten periods, after twenty more, and so on, so that it grows with the
/// time that is lost. Where some wait for buffers, which another core gives back whatever this one
/// does, as soon as it has its processor, it is a thousand periods. It comes back when the tasks
/// under way are fewer than num_workers.

#include <algorithm>
#include <cstdint>

namespace Grappa {
namespace detail {

/// What is known of a standstill.
enum class Standstill {
  Sure,      // there can be no other reason than the limit
  Unsure,    // some may go on by themselves, or what is queued is not needed
  Elsewhere  // another core is the reason
};

class WorkerLimit {
 public:
  WorkerLimit(int64_t num_workers, uint64_t period_ticks)
      : num_workers_(num_workers), limit_(num_workers), period_(period_ticks) {}

  bool allows(int64_t live_tasks) const { return live_tasks < limit_; }

  /// A turn of the poller in which tasks were queued but not allowed to start. `progress` counts
  /// what has happened so far.
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
    if (live_tasks < num_workers_) limit_ = num_workers_;
  }

 private:
  /// A process that did not have its processor for a while has lost time, but not turns.
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
  uint64_t progress_ = ~uint64_t{0};  // when the standstill began; none has begun yet
  int turns_ = 0;
};

}  // namespace detail
}  // namespace Grappa
