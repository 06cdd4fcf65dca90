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
/// core's tasks travel as batches, pushes and pops together; batches of different cores, and those
/// that push and those that pop, proceed side by side and meet only on the master, for as long as
/// it takes to note where elements lie. Elements lie on the core that has pushed them
/// (detail/sequence.hpp), and storage grows as it is needed.
///
/// The operations are in detail/combined_sequence.hpp: create, destroy, push, push<async>, try_pop,
/// pop, size, empty, clear; and below.

#include "structures/detail/combined_sequence.hpp"
#include "structures/detail/segment_loop.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

template <class T>
class QueueProxy : public FCProxy {
 public:
  explicit QueueProxy(Sequence* sequence) : sequence_(sequence) {}

  void push(const T& value) {
    values_.set(n_pushed_++, value);
    wait();
  }
  void push_async(const T& value) {
    values_.set(n_pushed_++, value);
    complete_in_scope();
  }

  bool try_pop(T* value) {
    const int64_t mine = n_popped_++;
    wait();
    if (mine >= n_found_) return false;
    *value = values_[mine];
    return true;
  }

  /// The places of the pushed are free by the time the popped arrive.
  void sync() override {
    n_found_ = sequence_->commit(values_.data(), n_pushed_, values_.data(), n_popped_);
  }

 private:
  Sequence* const sequence_;
  int64_t n_pushed_ = 0;
  int64_t n_popped_ = 0;
  int64_t n_found_ = 0;
  RawElements<T, kProxyRequests> values_;
};

}  // namespace detail

template <class T>
class GlobalQueue : public detail::CombinedSequence<GlobalQueue<T>, T, detail::QueueProxy<T>> {
  typedef detail::CombinedSequence<GlobalQueue, T, detail::QueueProxy<T>> Base;

 public:
  using Base::try_pop;

  /// Takes up to `n` elements from the front, side by side in the order, and returns how many there
  /// were. A batch by itself, in every mode. Suspends: until they are here.
  int64_t try_pop(T* values, int64_t n) {
    GRAPPA_CHECK(n >= 0) << "try_pop of " << n << " elements";
    return this->sequence_.commit(nullptr, 0, values, n);
  }

  /// Other names of push and pop.
  void enqueue(const T& value) { this->push(value); }
  template <SyncMode S>
  void enqueue(const T& value) {
    this->template push<S>(value);
  }
  T dequeue() { return this->pop(); }

  /// forall(queue, body), below.
  template <class F>
  void for_each(const F& body);

  static const char* name() { return "GlobalQueue"; }

  /// By create() only.
  GlobalQueue(int64_t capacity_hint, Combining mode)
      : Base(detail::TakeFrom::Front, capacity_hint, mode) {}
};

template <class T>
template <class F>
void GlobalQueue<T>::for_each(const F& body) {
  detail::Sequence* const sequence = &this->sequence_;
  const uint64_t loop = sequence->begin_loop(false);
  on_all_cores([sequence, loop, body] {
    detail::SegmentLoop<T, F>::run(sequence->own_segments(loop), body);
  });
  sequence->end_loop(loop);
}

/// `body(T&)` for each element, on the core that has pushed it, in no particular order; waits for
/// all that the bodies start. Nobody pushes to or pops from the queue meanwhile. From: task.
/// Suspends: until the loop has ended. Messages: 2 to the master for each core, with where its
/// elements lie, and those of on_all_cores.
template <class T, class F>
void forall(GlobalAddress<GlobalQueue<T>> queue, F body) {
  queue->for_each(body);
}

}  // namespace Grappa
