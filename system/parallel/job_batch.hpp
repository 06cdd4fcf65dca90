#pragma once

/// Batches of short jobs. Some programs start millions of jobs that each begin with a cache miss,
/// for example an async loop over the neighbours of one vertex. A task for each job would cost more
/// than the job. So up to 64 successive jobs of the same scope are gathered, and one task
/// prefetches the data of all jobs before it runs the first one. If a job suspends, another task
/// continues with the next job, as in any loop (local_loop.hpp), so no job waits for another job.

#include "system/parallel/local_loop.hpp"
#include "system/tasking/spawn.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace Grappa {
namespace detail {

/// Job must have `job.prefetch()` and `job()`, both const. `job()` may suspend.
template <class Job>
class JobBatch {
 public:
  /// Runs `job()` on this core, in the current scope, in a task that starts after the caller has
  /// suspended or ended.
  static void add(const Job& job) {
    if (open_ == nullptr || open_->scope_ != current_scope()) begin();
    open_->jobs_.push_back(job);
    if (open_->jobs_.size() == kMostJobs) open_ = nullptr;
  }

 private:
  static constexpr size_t kMostJobs = 64;

  struct Body {
    std::shared_ptr<JobBatch> batch;
    void operator()(int64_t first, int64_t count) {
      for (int64_t k = first; k < first + count; ++k) batch->jobs_[static_cast<size_t>(k)]();
    }
  };

  explicit JobBatch(TaskScope* scope) : scope_(scope) { jobs_.reserve(kMostJobs); }

  static void begin() {
    const std::shared_ptr<JobBatch> batch(new JobBatch(current_scope()));
    open_ = batch.get();
    spawn([batch] { run(batch); });
  }

  static void run(const std::shared_ptr<JobBatch>& batch) {
    if (open_ == batch.get()) open_ = nullptr;
    for (const Job& job : batch->jobs_) job.prefetch();
    LocalLoop<Body>::run(static_cast<int64_t>(batch->jobs_.size()), 1, Body{batch});
  }

  static JobBatch* open_;  // takes more jobs; its task has not started. Null: none is open

  TaskScope* const scope_;
  std::vector<Job> jobs_;
};

template <class Job>
JobBatch<Job>* JobBatch<Job>::open_ = nullptr;

}  // namespace detail
}  // namespace Grappa
