#pragma once

/// Runs the iterations of one core in as many tasks as can make progress.
///
/// Tasks take chunks from a common counter. A task that takes a chunk ensures that another task is
/// queued for the rest. When the first task suspends, the queued task starts and takes the next
/// chunk, and so on, up to the limit on workers. If the body never suspends, a single task runs the
/// loop, at the speed of a plain loop except for a look at the clock every few chunks. If a network
/// poll is due, the task yields, and no other task continues the loop. (After T. Tang and P. Yew,
/// "Processor self-scheduling for multiple-nested parallel loops", ICPP 1986.) Invariant: at most
/// one task of a loop is queued and has not started.

#include "system/tasking/spawn.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

/// The largest chunk that is chosen automatically. Blocking iterations of one chunk do not hide
/// each other's latency.
constexpr int64_t kLargestAutomaticChunk = 256;

/// The maximum number of chunks between two looks at the clock. A look costs as much as some tens
/// of the cheapest iterations, so looks become rarer while no network poll is due. The maximum
/// limits the delay if iterations suddenly become slow.
constexpr int64_t kMostChunksToLook = 16;

/// Iterations that a task runs at a time, in a loop of `n` iterations on this core: `threshold`, or
/// the value of the options if it is 0.
int64_t loop_chunk(int64_t n, int64_t threshold);

/// Aborts the job unless `n` is 0 or more and start + n fits in an int64_t.
void check_iterations(int64_t start, int64_t n);

/// Body: (first, count), the range of iterations to run.
template <class Body>
class LocalLoop {
  static_assert(alignof(Body) <= alignof(std::max_align_t),
                "the body of a loop is over-aligned: capture a pointer to the object instead");

 public:
  /// Runs iterations 0 ... n-1 in the calling task and in tasks that it starts in the current
  /// scope, `chunk` at a time. Returns when no chunk is left; some iterations may still be running.
  /// Suspends: if the body does.
  static void run(int64_t n, int64_t chunk, const Body& body) {
    if (n <= 0) return;
    (new LocalLoop(n, chunk, body))->take_chunks();
  }

 private:
  LocalLoop(int64_t n, int64_t chunk, const Body& body) : body_(body), end_(n), chunk_(chunk) {}

  /// An exception that leaves an iteration aborts the job.
  void take_chunks() noexcept {
    int64_t stride = 1, chunks_to_look = 1;
    while (next_ < end_) {
      const int64_t first = next_;
      next_ = first + std::min(chunk_, end_ - first);
      if (next_ < end_ && !successor_queued_) start_successor();
      body_(first, std::min(chunk_, end_ - first));
      if (next_ < end_ && --chunks_to_look == 0) {
        stride = look_at_clock() ? std::max<int64_t>(1, stride / 2)
                                 : std::min(kMostChunksToLook, 2 * stride);
        chunks_to_look = stride;
      }
    }
    if (--tasks_ == 0) delete this;
  }

  /// Yields if a network poll is due. Returns whether it was due.
  bool look_at_clock() {
    ++yielding_;
    const bool due = yield_if_due();
    --yielding_;
    return due;
  }

  void start_successor() {
    successor_queued_ = true;
    ++tasks_;
    const auto successor = [this] {
      successor_queued_ = false;
      if (yielding_ == 0) {
        take_chunks();
      } else {
        --tasks_;  // the yielding task continues and starts another
      }
    };
    start_helper_task(Closure::make(successor), current_scope());
  }

  Body body_;
  int64_t next_ = 0;
  const int64_t end_;
  const int64_t chunk_;
  int64_t tasks_ = 1;
  int64_t yielding_ = 0;  // tasks that yield between two chunks
  bool successor_queued_ = false;
};

}  // namespace detail
}  // namespace Grappa
