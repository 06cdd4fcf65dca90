#pragma once

/// Runs the iterations of one core in several tasks, and adds a task whenever one suspends, but not
/// for a yield to a network poll (docs/design.md, Loops). (After T. Tang and P. Yew, "Processor
/// self-scheduling for multiple-nested parallel loops", ICPP 1986.)

#include "system/observe/clock.hpp"
#include "system/tasking/task.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace Grappa { namespace detail {

/// The maximum number of chunks between clock reads, which cost as much as tens of iterations.
constexpr int64_t kMostChunksToLook = 16;

/// Returns the number of iterations that a task of a loop of `n` iterations runs at a time. If
/// `threshold` is 0, the option determines it.
int64_t loop_chunk(int64_t n, int64_t threshold);

/// Aborts the job unless `n` is 0 or more and start + n fits in an int64_t.
void check_iterations(int64_t start, int64_t n);

/// Body: (first, count), the range of iterations to run.
template <class Body>
class LocalLoop {
  static_assert(alignof(Body) <= alignof(std::max_align_t),
                "the body of a loop is over-aligned: capture a pointer to the object instead");

 public:
  /// Runs iterations start ... start + n - 1 in the calling task and in tasks that it starts in the
  /// current scope, `chunk` at a time. Returns when all chunks have started; some may still run. An
  /// uncaught exception aborts the job. Suspends: if the body does.
  static void run(int64_t start, int64_t n, int64_t chunk, Body body) noexcept {
    if (n <= 0) return;
    if (n <= chunk) return run_chunk(&body, start, n);
    (new LocalLoop(start, n, chunk, std::move(body)))->take_chunks();
  }
  static void run(int64_t n, int64_t chunk, Body body) noexcept {
    run(0, n, chunk, std::move(body));
  }

 private:
  LocalLoop(int64_t start, int64_t n, int64_t chunk, Body&& body)
      : body_(std::move(body)), next_(start), end_(start + n), chunk_(chunk) {}

  static void run_chunk(Body* body, int64_t first, int64_t count) {
    work_done.iterations += static_cast<uint64_t>(count);
    (*body)(first, count);
  }

  void take_chunks() noexcept {
    int64_t stride = 1, chunks_to_look = 1;
    while (next_ < end_) {
      const int64_t first = next_;
      next_ = first + std::min(chunk_, end_ - first);
      if (next_ < end_ && !successor_queued_) start_successor();
      run_chunk(&body_, first, std::min(chunk_, end_ - first));
      if (next_ < end_ && --chunks_to_look == 0) {
        ++yielding_;
        const bool due = yield_if_due();
        --yielding_;
        stride = due ? std::max<int64_t>(1, stride / 2) : std::min(kMostChunksToLook, 2 * stride);
        chunks_to_look = stride;
      }
    }
    if (--tasks_ == 0) delete this;
  }

  void start_successor() {
    successor_queued_ = true;
    ++tasks_;
    const auto successor = [this] {
      successor_queued_ = false;
      if (yielding_ == 0) {
        take_chunks();
      } else {
        --tasks_;  // the yielding task continues and queues another task
      }
    };
    start_helper_task(Closure::make(successor), current_scope());
  }

  Body body_;
  int64_t next_;
  const int64_t end_;
  const int64_t chunk_;
  int64_t tasks_ = 1;
  int64_t yielding_ = 0;  // tasks that yield between two chunks
  bool successor_queued_ = false;
};

/// Runs up to 64 successive jobs of a scope in one task, which first prefetches the data of all
/// jobs. If a job suspends, another task runs the next one. This is useful for short jobs that
/// begin with a cache miss. Job must have `job.prefetch()` and `job()`, both const.
template <class Job>
class JobBatch {
 public:
  /// Runs `job()` in the current scope, in a task that starts after the caller suspends or ends.
  static void add(const Job& job) {
    if (open_ == nullptr || open_->scope_ != current_scope()) {
      JobBatch* const batch = open_ = new JobBatch(current_scope());
      spawn([batch] { batch->run(); });
    }
    open_->jobs_.push_back(job);
    if (open_->jobs_.size() == kMostJobs) open_ = nullptr;
  }

 private:
  static constexpr size_t kMostJobs = 64;

  explicit JobBatch(TaskScope* scope) : scope_(scope) { jobs_.reserve(kMostJobs); }

  void run() {
    if (open_ == this) open_ = nullptr;
    for (const Job& job : jobs_) job.prefetch();
    struct Body {
      std::vector<Job> jobs;
      void operator()(int64_t first, int64_t count) {
        for (int64_t k = first; k < first + count; ++k) jobs[static_cast<size_t>(k)]();
      }
    };
    const int64_t n = static_cast<int64_t>(jobs_.size());
    Body body = {std::move(jobs_)};
    LocalLoop<Body>::run(n, 1, std::move(body));
    delete this;
  }

  static JobBatch* open_;  // a batch whose task has not started, or null

  TaskScope* const scope_;
  std::vector<Job> jobs_;
};

template <class Job>
JobBatch<Job>* JobBatch<Job>::open_ = nullptr;

}}  // namespace Grappa::detail
