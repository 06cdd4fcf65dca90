#pragma once

/// The workers of a core: their stacks, creation, retirement, and canaries. The idle workers of
/// each role form a list. The most recently used worker is first: its stack is still in cache.

#include "system/tasking/options.hpp"
#include "system/tasking/stack.hpp"
#include "system/tasking/worker.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa { namespace detail {

struct OverflowSentence {
  char text[320];
};

/// Returns the message for a stack overflow: the worker, its task, and a remedy. Signal-safe.
OverflowSentence overflow_sentence(const Worker& worker);

class WorkerPool {
 public:
  /// Each new worker runs `entry`, which does not return. `check_each_switch`: the canaries are
  /// checked at each switch, because the event log takes the slow path there anyway.
  WorkerPool(const TaskingOptions& options, void (*entry)(Transfer), bool check_each_switch);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Returns an idle worker, or a new one. The caller then switches to that worker.
  Worker* take(Worker::Role role) {
    Worker* const worker = kind(role).idle;
    if (GRAPPA_UNLIKELY(worker == nullptr)) return create(role);
    kind(role).idle = worker->next;
    GRAPPA_DCHECK(worker->role == role) << "a worker is on the idle list of another role";
    GRAPPA_DCHECK(worker->state == Worker::State::Idle)
        << "an idle list contains a worker that is not idle";
    return worker;
  }

  /// Makes the running worker idle. The caller then switches to another worker.
  void give_back(Worker* worker) {
    GRAPPA_DCHECK(worker->runs == nullptr) << "a worker that runs a body becomes idle";
    GRAPPA_DCHECK(workers_[worker->number] == worker) << "a worker of another pool becomes idle";
    worker->next = kind(worker->role).idle;
    kind(worker->role).idle = worker;
  }

  /// Ends one idle worker if there are more workers than num_workers needs. `live_tasks` run now.
  void retire_surplus(int64_t live_tasks);

  // Stacks without a guard are checked by their canary: at each switch, or only at each poll.
  bool has_unguarded() const { return unguarded_ != 0; }
  bool checks_each_switch() const { return checks_each_switch_; }

  /// True if the running `worker` may have overflown its stack. The result may be a false alarm for
  /// a worker that polls or runs the main task.
  bool may_have_overflown(const Worker* worker) const {
    if (!checks_each_switch_ || unguarded_ == 0) return false;
    // The canary is found without reading the worker, which lies at the top of its stack.
    const char* const bottom =
        reinterpret_cast<const char*>(worker + 1) - kinds_[0].stacks.stack_bytes();
    return stack_pointer() < bottom || !Stack::canary_is_alive(bottom);
  }

  /// Aborts the job if the running `worker` has overflown its stack.
  void check_canary(const Worker* worker) const;

  /// Returns the worker whose stack `guards` or `contains` the address, or null.
  const Worker* whose(bool (Stack::*holds)(const void*) const, const void* address) const;

  /// Returns true for all addresses in the areas that contain the stacks.
  bool in_stack_area(const void* address) const;

  size_t size() const { return workers_.size() - vacant_.size(); }

  /// Updates the counters of stack memory. Reads all stacks.
  void count_stacks() const;

  template <class F>
  void for_each_suspended(F visit) const {
    for (const Worker* worker : workers_) {
      if (worker != nullptr && worker->waits.kind() != WaitReason::Kind::None) visit(*worker);
    }
  }

 private:
  struct Kind {  // the workers of one role
    StackArea stacks;
    Worker* idle;  // linked by Worker::next
  };
  struct Vacancy {  // number and stack of an ended worker, for reuse
    uint32_t number;
    Stack stack;
  };

  Kind& kind(Worker::Role role) { return kinds_[static_cast<size_t>(role)]; }
  Worker* create(Worker::Role role);
  void destroy(Worker* worker);
  void set_unguarded(size_t workers);

  bool checks_each_switch_;
  const bool always_checks_;
  size_t unguarded_ = 0;  // workers whose stack has no guard
  Kind kinds_[3];         // by role
  const int64_t num_workers_;
  void (*const entry_)(Transfer);
  int64_t task_workers_ = 0;          // workers that run tasks
  size_t high_water_of_retired_ = 0;  // bytes
  std::vector<Worker*> workers_;      // by number, each at the top of its stack; null: retired
  std::vector<Vacancy> vacant_;
};

}}  // namespace Grappa::detail
