#pragma once

/// Workers, and the queue of the workers that are ready to run.

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/growing_ring.hpp"
#include "system/base/units.hpp"
#include "system/observe/clock.hpp"
#include "system/tasking/stack.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/switch.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa { namespace detail {

/// A stack, its saved registers, and its state. The object is at the top of its own stack.
struct alignas(64) Worker {
  enum class Role { RunsTasks, Polls, RunsMain };

  /// Idle: the worker is on an idle list, or new. Ready: in the ready queue. Waiting: until wake().
  enum class State : uint8_t { Idle, Running, Ready, Waiting };

  Worker(uint32_t its_number, const Stack& its_stack, Role its_role = Role::RunsTasks)
      : number(its_number), role(its_role), stack(its_stack) {}

  void* saved = nullptr;       // registers; while the worker is ready, only the queue holds them
  TaskScope* scope = nullptr;  // scope of the task; stored like `saved`
  Worker* next = nullptr;      // next worker in the idle list
  const char* runs = nullptr;  // type_signature of the body, for reports; null between bodies
  WaitReason waits;            // set only while the worker is suspended
  const uint32_t number;       // index of the worker on its core, from 0
  const Role role;
  State state = State::Idle;  // valid in debug builds only: see change_state()
  const Stack stack;          // the whole stack, including this object
  Fiber fiber;
};

/// Asserts the state and changes it. A release build does not access the worker here, because a
/// switch between ready workers does not access it either.
inline void change_state(Worker* worker, Worker::State from, Worker::State to) {
#if defined(NDEBUG)
  (void)worker, (void)from, (void)to;
#else
  GRAPPA_CHECK(worker->state == from)
      << "worker " << worker->number << " is in state " << static_cast<int>(worker->state)
      << ", not " << static_cast<int>(from);
  worker->state = to;
#endif
}

/// The FIFO queue of the workers that are ready to run.
///
/// An entry holds the data that a resume needs, so a `yield` does not access the Worker object.
/// Each pop prefetches lines for a worker that resumes some switches later: its saved registers,
/// and the frames through which its switch returns. A second, short queue holds workers that wait
/// only for a prefetched cache line. During a wait in the main queue, the line could be evicted.
class ReadyQueue {
 public:
  struct Entry {
    void* saved;  // the saved registers of the worker
    TaskScope* scope;
    Worker* worker;
  };

  /// `distance`: see TaskingOptions::prefetch_distance.
  explicit ReadyQueue(size_t distance) : distance_(distance == 0 ? ~size_t{0} : distance) {}

  /// Number of ready workers in both queues.
  size_t size() const { return entries_.size() + prefetching_count_; }

  // These describe the main queue. If it is full, the next push must allocate.
  bool empty() const { return entries_.empty(); }
  bool full() const { return entries_.full(); }

  /// Adds a suspended worker.
  void push(Worker* worker) { entries_.push_back(Entry{worker->saved, worker->scope, worker}); }

  /// Adds the running worker. Returns the address for its registers, valid until the next push.
  void** push_running(Worker* worker, TaskScope* scope) {
    return &entries_.push_back(Entry{nullptr, scope, worker})->saved;
  }

  Entry pop() {
    GRAPPA_DCHECK(!entries_.empty()) << "the ready queue is empty";
    if (entries_.size() > distance_) {
      // Prefetching more than two lines costs more than it gains (bench/context_switch).
      // The address is 0 for a worker that has not run. A prefetch of address 0 has no effect.
      const uintptr_t stack = reinterpret_cast<uintptr_t>(entries_[distance_].saved);
      GRAPPA_PREFETCH(reinterpret_cast<const void*>(stack));
      GRAPPA_PREFETCH(reinterpret_cast<const void*>(stack + kCacheLineBytes));
    }
    return entries_.pop_front();
  }

  /// Capacity of the prefetch queue: the number of switches before a worker in it resumes. A line
  /// from memory takes 100 to 160 ns; a switch among so few workers takes 4 to 8 ns.
  static constexpr uint32_t kPrefetching = 16;

  uint32_t prefetching() const { return prefetching_count_; }

  /// Like push_running(), for the prefetch queue, which must hold fewer than kPrefetching workers.
  void** push_running_for_prefetch(Worker* worker, TaskScope* scope) {
    GRAPPA_DCHECK(prefetching_count_ < kPrefetching) << "the prefetch queue is full";
    Entry& entry = prefetching_[(prefetching_first_ + prefetching_count_++) % kPrefetching];
    entry = Entry{nullptr, scope, worker};
    return &entry.saved;
  }

  Entry pop_prefetching() {
    GRAPPA_DCHECK(prefetching_count_ != 0) << "the prefetch queue is empty";
    --prefetching_count_;
    return prefetching_[prefetching_first_++ % kPrefetching];
  }

  /// Moves the prefetch queue to the end of the main queue.
  void queue_for_prefetch() {
    while (prefetching_count_ != 0) entries_.push_back(pop_prefetching());
  }

  /// In a simulation, the order of the next workers is a choice of `time`.
  void reorder(VirtualTime* time) {
    constexpr size_t kReordered = 16;
    for (size_t k = 0; k < kReordered && k + 1 < entries_.size(); ++k) {
      entries_.exchange(k, k + time->choose(entries_.size() - k));
    }
  }

  /// Returns the saved registers of a ready worker, or null if the worker is not ready.
  void* saved_of(const Worker* worker) const {
    for (size_t k = 0; k < size(); ++k) {
      const Entry& entry =
          k < entries_.size()
              ? entries_[k]
              : prefetching_[(prefetching_first_ + k - entries_.size()) % kPrefetching];
      if (entry.worker == worker) return entry.saved;
    }
    return nullptr;
  }

 private:
  const size_t distance_;
  GrowingRing<Entry> entries_;
  Entry prefetching_[kPrefetching];
  uint32_t prefetching_first_ = 0;
  uint32_t prefetching_count_ = 0;
};

}}  // namespace Grappa::detail
