#pragma once

/// The workers that can run, first in, first out.
///
/// An entry holds what resuming needs, so that a worker which only yields does not have its Worker
/// touched. Since the queue is first in, first out, who comes next is known long before: each pop
/// asks for the stack lines of a worker some places behind. Those are the lines that a switch
/// reads: the saved registers, and the frames that it returns through.

#include "system/base/compiler.hpp"
#include "system/base/growing_ring.hpp"
#include "system/base/units.hpp"
#include "system/tasking/worker.hpp"

#include <cstddef>

namespace Grappa {

class ReadyQueue {
 public:
  struct Entry {
    void* saved;  // the worker's registers
    TaskScope* scope;
    Worker* worker;
  };

  /// Prefetches `distance` workers ahead; 0: not at all.
  explicit ReadyQueue(size_t distance) : distance_(distance == 0 ? ~size_t{0} : distance) {}

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }

  /// The next push takes longer: the queue has to grow.
  bool full() const { return entries_.full(); }

  /// A worker that waits.
  void push(Worker* worker) { entries_.push_back(Entry{worker->saved, worker->scope, worker}); }

  /// The worker that runs, which is about to be left. Returns where its registers are to be saved,
  /// before the next push.
  void** push_running(Worker* worker, TaskScope* scope) {
    return &entries_.push_back(Entry{nullptr, scope, worker})->saved;
  }

  /// Not on an empty queue.
  Entry pop() {
    if (entries_.size() > distance_) {
      // Two lines: what more would cost is more than it would gain (bench/context_switch).
      char* stack = static_cast<char*>(entries_[distance_].saved);
      GRAPPA_PREFETCH(stack);
      GRAPPA_PREFETCH(stack + kCacheLineBytes);
    }
    return entries_.pop_front();
  }

 private:
  const size_t distance_;
  GrowingRing<Entry> entries_;
};

}  // namespace Grappa
