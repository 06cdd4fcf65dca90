#pragma once

/// The workers that can run, first in, first out.
///
/// An entry holds what resuming needs, so that a worker which only yields does not have its Worker
/// touched. Since the queue is first in, first out, who comes next is known long before: each pop
/// asks for the stack lines of a worker some places behind. Those are the lines that a switch
/// reads: the saved registers, and the frames that it returns through.
///
/// Beside the queue there is a short one of workers that are to go on *soon*: each of them only
/// waits for a line of memory, and to send it through the whole queue would cost more cache than it
/// gains.

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
    void* saved;  // the worker's registers
    TaskScope* scope;
    Worker* worker;
  };

  /// How many switches a worker that goes on soon stays away: a line from memory takes 100 to 160
  /// ns, a switch among so few 4 to 8.
  static constexpr uint32_t kSoon = 16;

  /// Prefetches `distance` workers ahead; 0: not at all.
  explicit ReadyQueue(size_t distance) : distance_(distance == 0 ? ~size_t{0} : distance) {}

  /// Whether the queue is, without those that go on soon.
  bool empty() const { return entries_.empty(); }
  /// All that are ready.
  size_t size() const { return entries_.size() + soon_count_; }

  /// The next push takes longer: the queue has to grow.
  bool full() const { return entries_.full(); }

  /// A worker that waits.
  void push(Worker* worker) { entries_.push_back(Entry{worker->saved, worker->scope, worker}); }

  /// The worker that runs, which is about to be left. Returns where its registers are to be saved,
  /// before the next push.
  void** push_running(Worker* worker, TaskScope* scope) {
    return &entries_.push_back(Entry{nullptr, scope, worker})->saved;
  }

  uint32_t soon() const { return soon_count_; }

  /// The worker that runs, which is about to be left and goes on soon. Not if there are kSoon.
  void** push_running_soon(Worker* worker, TaskScope* scope) {
    Entry& entry = soon_[(soon_first_ + soon_count_++) % kSoon];
    entry = Entry{nullptr, scope, worker};
    return &entry.saved;
  }

  /// Who has been away longest of those that go on soon. Not if there are none.
  Entry pop_soon() {
    --soon_count_;
    return soon_[soon_first_++ % kSoon];
  }

  /// Puts those that go on soon behind all others.
  void queue_soon() {
    while (soon_count_ != 0) entries_.push_back(pop_soon());
  }

  /// The registers of a worker that is ready; null if it is not.
  void* saved_of(const Worker* worker) const {
    for (uint32_t k = 0; k < soon_count_; ++k) {
      const Entry& entry = soon_[(soon_first_ + k) % kSoon];
      if (entry.worker == worker) return entry.saved;
    }
    for (size_t k = 0; k < entries_.size(); ++k) {
      if (entries_[k].worker == worker) return entries_[k].saved;
    }
    return nullptr;
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
  Entry soon_[kSoon];
  uint32_t soon_first_ = 0;
  uint32_t soon_count_ = 0;
};

}  // namespace detail
}  // namespace Grappa
