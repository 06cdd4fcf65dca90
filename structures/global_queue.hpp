#pragma once

/// A queue that all cores share: first in, first out, over the whole job.
///
///     GlobalAddress<GlobalQueue<VertexID>> frontier = GlobalQueue<VertexID>::create();
///     frontier->push(root);
///     forall(frontier, [next](VertexID& v) { ... next->push<async>(w); ... });
///     VertexID some[64];
///     int64_t n = frontier->try_pop(some, 64);
///     frontier->destroy();
///
/// A queue is linearizable (combining.hpp), but the order of async pushes is unspecified. It is
/// flat-combined (flat_combiner.hpp): the operations of one core's tasks are sent as batches of
/// pushes and batches of pops. detail/combined_sequence.hpp documents the other operations.

#include "structures/detail/combined_sequence.hpp"
#include "system/parallel/forall.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// A proxy contains either pushes or pops.
template <class T>
class QueueProxy : public FCProxy {
 public:
  explicit QueueProxy(Sequence* sequence) : sequence_(sequence) {}

  void push(const T& value) {
    add(value);
    wait();
  }
  void push_async(const T& value) {
    add(value);
    complete_in_scope();
  }

  bool try_pop(T* value) {
    const int64_t mine = n_popped_++;
    wait();
    if (mine >= n_popped_) return false;
    *value = values_[mine];
    return true;
  }

  void sync() override {
    n_popped_ = sequence_->commit(values_.data(), n_pushed_, values_.data(), n_popped_);
  }

 private:
  void add(const T& value) {
    check_open();
    values_.set(n_pushed_++, value);
  }

  Sequence* const sequence_;
  int64_t n_pushed_ = 0;
  int64_t n_popped_ = 0;  // number of requests; after the commit, of elements found
  RawElements<T, kProxyRequests> values_;
};

}  // namespace detail

template <class T>
class GlobalQueue
    : public detail::CombinedSequence<GlobalQueue<T>, T, detail::Sequence, detail::QueueProxy<T>> {
  typedef detail::CombinedSequence<GlobalQueue, T, detail::Sequence, detail::QueueProxy<T>> Base;

 public:
  using Base::try_pop;

  /// Removes up to `n` consecutive elements from the front and returns their number. In every mode,
  /// the call is a separate batch. Suspends: until the elements have arrived.
  int64_t try_pop(T* values, int64_t n) {
    detail::checked_count(n, "try_pop");
    return this->store_.commit(nullptr, 0, values, n);
  }

  template <SyncMode S = SyncMode::Blocking>
  void enqueue(const T& value) {  // as push
    this->template push<S>(value);
  }
  T dequeue() { return this->pop(); }  // as pop

  static const char* name() { return "GlobalQueue"; }

  GlobalQueue(int64_t capacity_hint, Combining mode, Core master)  // for create()
      : Base(mode, master, detail::TakeFrom::Front, capacity_hint), pops_(&this->store_) {}

 private:
  friend Base;

  FlatCombiner<detail::QueueProxy<T>>& pops() { return pops_; }
  FlatCombiner<detail::QueueProxy<T>> pops_;  // separate, so that a push does not wait for pops
};

}  // namespace Grappa
