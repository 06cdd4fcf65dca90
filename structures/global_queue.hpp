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
/// Linearizable: all tasks see one order, in which each operation takes effect at a moment between
/// its call and its return. What one task has pushed comes out in the order in which it was pushed;
/// of async pushes no order is promised. Flat-combined (flat_combiner.hpp): operations of one
/// core's tasks travel as batches of pushes and batches of pops. Batches of all cores, of both
/// kinds, proceed side by side and meet only on the master, for as long as it takes to note where
/// elements lie. Elements lie on the core that has pushed them
/// (detail/sequence.hpp), and storage grows as it is needed.
///
/// The operations are in detail/combined_sequence.hpp: create, destroy, push, push<async>, try_pop,
/// pop, size, empty, clear; and below.

#include "structures/detail/combined_sequence.hpp"
#include "structures/detail/segment_loop.hpp"
#include "system/parallel/forall.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

template <class T>
class PushProxy : public FCProxy {
 public:
  explicit PushProxy(Sequence* sequence) : sequence_(sequence) {}

  void push(const T& value) {
    check_open();
    values_.set(n_++, value);
    wait();
  }
  void push_async(const T& value) {
    check_open();
    values_.set(n_++, value);
    complete_in_scope();
  }

  void sync() override { sequence_->commit(values_.data(), n_, nullptr, 0); }

 private:
  Sequence* const sequence_;
  int64_t n_ = 0;
  RawElements<T, kProxyRequests> values_;
};

template <class T>
class PopProxy : public FCProxy {
 public:
  explicit PopProxy(Sequence* sequence) : sequence_(sequence) {}

  bool try_pop(T* value) {
    const int64_t mine = n_++;
    wait();
    if (mine >= found_) return false;
    *value = values_[mine];
    return true;
  }

  void sync() override { found_ = sequence_->commit(nullptr, 0, values_.data(), n_); }

 private:
  Sequence* const sequence_;
  int64_t n_ = 0;
  int64_t found_ = 0;
  RawElements<T, kProxyRequests> values_;
};

/// One for each, so that a push need not wait for what pops fetch.
template <class T>
class QueueCombiners {
 public:
  explicit QueueCombiners(Sequence* sequence) : pushes_(sequence), pops_(sequence) {}
  FlatCombiner<PushProxy<T>>& pushes() { return pushes_; }
  FlatCombiner<PopProxy<T>>& pops() { return pops_; }

 private:
  FlatCombiner<PushProxy<T>> pushes_;
  FlatCombiner<PopProxy<T>> pops_;
};

}  // namespace detail

template <class T>
class GlobalQueue : public detail::CombinedSequence<GlobalQueue<T>, T, detail::QueueCombiners<T>> {
  typedef detail::CombinedSequence<GlobalQueue, T, detail::QueueCombiners<T>> Base;

 public:
  using Base::try_pop;

  /// Takes up to `n` elements from the front, side by side in the order, and returns how many there
  /// were. A batch by itself, in every mode. Suspends: until they are here.
  int64_t try_pop(T* values, int64_t n) {
    detail::checked_count(n, "try_pop");
    return this->sequence_.commit(nullptr, 0, values, n);
  }

  /// Other names of push and pop.
  void enqueue(const T& value) { this->push(value); }
  template <SyncMode S>
  void enqueue(const T& value) {
    this->template push<S>(value);
  }
  T dequeue() { return this->pop(); }

  static const char* name() { return "GlobalQueue"; }

  /// By create() only.
  GlobalQueue(int64_t capacity_hint, Combining mode)
      : Base(detail::TakeFrom::Front, capacity_hint, mode) {}

 private:
  friend struct detail::LoopOverSequence<GlobalQueue, T>;
};

namespace detail {

template <class T>
struct LoopOver<GlobalQueue<T>> : LoopOverSequence<GlobalQueue<T>, T> {};

}  // namespace detail
}  // namespace Grappa
