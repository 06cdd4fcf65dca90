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
///
/// Elements are trivially copyable, or *objects* with a Serialize (serialize.hpp), such as strings
/// and vectors (detail/sequence_form.hpp). A std::string is pushed as a StringView, and a
/// std::vector<U> of trivially copyable elements as a View<U>. The view is copied before other
/// tasks run. An object has 0 to 1,048,576 bytes when it is pushed: the bytes of its elements if it
/// is pushed as a view, otherwise its Serialize::size. A longer object aborts the job.
///
/// An object takes sizeof(T) bytes and the memory that it owns, on the core that pushed it; in the
/// centralized mode on the master, and without combining on all cores in turn. For a pop on another
/// core, objects are sent in messages of 32 KiB and up to one more object. All objects of a batch
/// of pops may be in messages at once. The constructors, assignments and destructor of T, and its
/// Serialize, must not suspend. An exception of theirs aborts the job.

#include "structures/detail/combined_sequence.hpp"
#include "system/parallel/forall.hpp"

#include <cstdint>
#include <utility>

namespace Grappa {
namespace detail {

/// A proxy contains either pushes or pops.
template <class T>
class QueueProxy : public FCProxy {
 public:
  typedef typename SequenceForm<T>::Argument Argument;

  explicit QueueProxy(Sequence* sequence) : sequence_(sequence) {}

  void push(Argument value) {
    add(value);
    wait();
  }
  void push_async(Argument value) {
    add(value);
    complete_in_scope();
  }

  bool try_pop(T* value) {
    const int64_t mine = n_popped_++;
    wait();
    if (mine >= n_popped_) return false;
    *value = std::move(values_[mine]);
    return true;
  }

  void sync() override {
    values_.expect(n_popped_);
    n_popped_ = sequence_->commit(values_.data(), n_pushed_, values_.data(), n_popped_);
  }

 private:
  void add(Argument value) {
    check_open();
    values_.set(n_pushed_++, value);
  }

  Sequence* const sequence_;
  int64_t n_pushed_ = 0;
  int64_t n_popped_ = 0;  // number of requests; after the commit, of elements found
  typename SequenceForm<T>::template Array<kProxyRequests> values_;
};

}  // namespace detail

/// T has at most 4096 bytes, without the memory that it owns, and is aligned to at most 16 bytes.
/// An object also has a default constructor, and is copyable.
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
  void enqueue(typename Base::Argument value) {  // as push
    this->template push<S>(value);
  }
  T dequeue() { return this->pop(); }  // as pop

  static const char* name() { return "GlobalQueue"; }

  GlobalQueue(int64_t capacity_hint, Combining mode, Core master)  // for create()
      : Base(mode, master, detail::TakeFrom::Front, capacity_hint, detail::SequenceForm<T>::code()),
        pops_(&this->store_) {}

 private:
  friend Base;

  FlatCombiner<detail::QueueProxy<T>>& pops() { return pops_; }
  FlatCombiner<detail::QueueProxy<T>> pops_;  // separate, so that a push does not wait for pops
};

}  // namespace Grappa
