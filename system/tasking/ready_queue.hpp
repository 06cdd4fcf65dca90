#pragma once

/// The FIFO queue of the workers that are ready to run.
///
/// An entry holds the data that a resume needs, so a `yield` does not access the Worker object.
/// Because the queue is FIFO, the next workers are known in advance: each pop prefetches the stack
/// lines of a worker further back in the queue. A switch reads these lines: the saved registers and
/// the frames through which the switch returns.
///
/// A second, short queue holds workers that wait only for a prefetched cache line. If such a worker
/// waited in the main queue, the line could be evicted before the worker runs.

#include "system/base/compiler.hpp"
#include "system/base/growing_ring.hpp"
#include "system/base/units.hpp"
#include "system/tasking/worker.hpp"

#include <cstddef>

namespace Grappa {
namespace detail {

class ReadyQueue {
 public:
  struct Entry {
    void* saved;  // the saved registers of the worker
    TaskScope* scope;
    Worker* worker;
  };

  /// Capacity of the prefetch queue, and so the number of switches before a worker in it resumes. A
  /// line from memory takes 100 to 160 ns; a switch among so few workers takes 4 to 8 ns.
  static constexpr uint32_t kPrefetching = 16;

  /// Prefetches `distance` workers ahead; 0 disables prefetching.
  explicit ReadyQueue(size_t distance) : distance_(distance == 0 ? ~size_t{0} : distance) {}

  /// True if the main queue is empty. The prefetch queue is not considered.
  bool empty() const { return entries_.empty(); }
  /// Number of ready workers in both queues.
  size_t size() const { return entries_.size() + prefetching_count_; }

  /// True if the next push must grow the queue, which takes longer.
  bool full() const { return entries_.full(); }

  /// Adds a suspended worker.
  void push(Worker* worker) { entries_.push_back(Entry{worker->saved, worker->scope, worker}); }

  /// Adds the running worker before it is switched out. Returns the address where its registers
  /// must be saved; the address is valid until the next push.
  void** push_running(Worker* worker, TaskScope* scope) {
    return &entries_.push_back(Entry{nullptr, scope, worker})->saved;
  }

  uint32_t prefetching() const { return prefetching_count_; }

  /// Adds the running worker to the prefetch queue before it is switched out. The prefetch queue
  /// must hold fewer than kPrefetching workers.
  void** push_running_for_prefetch(Worker* worker, TaskScope* scope) {
    GRAPPA_DCHECK(prefetching_count_ < kPrefetching) << "the prefetch queue is full";
    Entry& entry = prefetching_[(prefetching_first_ + prefetching_count_++) % kPrefetching];
    entry = Entry{nullptr, scope, worker};
    return &entry.saved;
  }

  /// Removes the oldest worker of the prefetch queue, which must not be empty.
  Entry pop_prefetching() {
    GRAPPA_DCHECK(prefetching_count_ != 0) << "the prefetch queue is empty";
    --prefetching_count_;
    return prefetching_[prefetching_first_++ % kPrefetching];
  }

  /// Moves all workers of the prefetch queue to the end of the main queue.
  void queue_for_prefetch() {
    while (prefetching_count_ != 0) entries_.push_back(pop_prefetching());
  }

  /// The saved registers of a ready worker; null if the worker is not ready.
  void* saved_of(const Worker* worker) const {
    for (uint32_t k = 0; k < prefetching_count_; ++k) {
      const Entry& entry = prefetching_[(prefetching_first_ + k) % kPrefetching];
      if (entry.worker == worker) return entry.saved;
    }
    for (size_t k = 0; k < entries_.size(); ++k) {
      if (entries_[k].worker == worker) return entries_[k].saved;
    }
    return nullptr;
  }

  /// Removes the first worker of the main queue, which must not be empty.
  Entry pop() {
    GRAPPA_DCHECK(!entries_.empty()) << "the ready queue is empty";
    if (entries_.size() > distance_) {
      // Prefetching more than two lines costs more than it gains (bench/context_switch).
      // The address is 0 for a worker that has not run, and 0 can be prefetched.
      const uintptr_t stack = reinterpret_cast<uintptr_t>(entries_[distance_].saved);
      GRAPPA_PREFETCH(reinterpret_cast<const void*>(stack));
      GRAPPA_PREFETCH(reinterpret_cast<const void*>(stack + kCacheLineBytes));
    }
    return entries_.pop_front();
  }

 private:
  const size_t distance_;
  GrowingRing<Entry> entries_;
  Entry prefetching_[kPrefetching];
  uint32_t prefetching_first_ = 0;
  uint32_t prefetching_count_ = 0;
};

}  // namespace detail
}  // namespace Grappa
