#pragma once

/// A vector that all cores share: one array of the global heap, with pushes and pops at its ends.
///
///     GlobalAddress<GlobalVector<VertexID>> found = GlobalVector<VertexID>::create();
///     forall(vertices, n, [found](Vertex& v) { if (matches(v)) found->push(v.id); });
///     forall(found, [](int64_t i, VertexID& v) { ... });
///     VertexID last = found->pop(), first = found->dequeue();
///     found->destroy();
///
/// Linearizable (combining.hpp) and flat-combined (flat_combiner.hpp): the operations of one core's
/// tasks are sent in batches. Each batch locks the master while it copies its elements
/// (detail/window.hpp), so batches are serialised. GlobalStack and GlobalQueue need no lock, since
/// their elements are not in one array. A push and a pop that meet on their core match: the pop
/// takes the value of the push at once, and the two operations are adjacent in the order. A dequeue
/// does not match a push, since the vector may have other elements in front.
///
/// The array is contiguous, so elements have consecutive linear addresses. As in a std::vector, an
/// address is valid until the next push, which may move all elements to a larger array.

#include "structures/detail/combined_sequence.hpp"
#include "structures/detail/window.hpp"
#include "system/base/check.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <cstdint>

namespace Grappa {
namespace detail {

/// Pushes and pops match until a dequeue arrives.
template <class T>
class VectorProxy : public MatchingProxy<T> {
  typedef typename MatchingProxy<T>::Taker Taker;

 public:
  explicit VectorProxy(Window* window) : window_(window) {}

  bool try_dequeue(T* value) {
    this->check_open();
    this->do_not_match();
    bool found = false;
    dequeues_[n_dequeued_++] = {value, &found};
    this->wait();
    return found;
  }

  void sync() override {
    // The array has space for one element for each request: a pushed value, or a removed one.
    T* const pushed = this->values_.data();
    T* const from_back = pushed + this->n_pushed_;
    T* const from_front = from_back + this->n_popped_;
    Batch batch = {pushed, this->n_pushed_, from_back, this->n_popped_, from_front, n_dequeued_};
    window_->commit(&batch);
    for (int64_t i = 0; i < batch.n_from_back; ++i) {
      this->pops_[i].answer(from_back[batch.n_from_back - 1 - i]);
    }
    for (int64_t i = 0; i < batch.n_from_front; ++i) dequeues_[i].answer(from_front[i]);
  }

 private:
  Window* const window_;
  int64_t n_dequeued_ = 0;
  Taker dequeues_[kProxyRequests];
};

}  // namespace detail

/// T must be trivially copyable, with a size of 1, 2, 4, 8, 16, 32 or 64 bytes. The operations
/// push, push<async>, try_pop, pop, size, empty, clear and combining are documented in
/// detail/combined_sequence.hpp. If the array is full, a push moves all elements; clear keeps the
/// array. For all operations on elements: From: task or handler. Messages: those of a batch, see
/// detail/window.hpp.
template <class T>
class GlobalVector : public detail::CombinedSequence<
                         GlobalVector<T>, T, detail::Window,
                         detail::MatchingCombiner<detail::VectorProxy<T>, detail::Window>> {
  typedef detail::Window Window;
  typedef detail::CombinedSequence<GlobalVector, T, Window,
                                   detail::MatchingCombiner<detail::VectorProxy<T>, Window>>
      Base;

 public:
  /// Creates an empty vector for `capacity_hint` elements. From: task. Suspends: for all cores.
  static GlobalAddress<GlobalVector> create(int64_t capacity_hint = 0,
                                            Combining mode = detail::default_combining()) {
    GRAPPA_CHECK(capacity_hint >= 0)
        << "invalid capacity hint of " << capacity_hint << " elements, expected 0 or more";
    const int64_t least = Window::kLeastCapacity;
    const int64_t capacity = std::max(capacity_hint, least);
    const GlobalAddress<T> array = global_alloc<T>(capacity);
    return symmetric<GlobalVector>(array, capacity, mode);
  }

  /// Destroys the vector and frees its array. From: task, once, when all operations on it have
  /// returned. Suspends: until it is destroyed.
  void destroy() {
    global_free(storage());
    Base::destroy();
  }

  /// Removes the first element. If there is none, returns false and leaves `value`. Suspends: until
  /// done.
  bool try_dequeue(T* value) {
    if (this->mode_ == Combining::Distributed) return this->combiners_.pops()->try_dequeue(value);
    GlobalVector* const self = this;
    return Base::at_master(value, [self](T* place) {
      return self->mode_ == Combining::None ? self->store_.dequeue_locked(place)
                                            : self->combiners_.pops()->try_dequeue(place);
    });
  }

  /// As try_dequeue(), but if there is no element, the job aborts. Suspends: until done.
  T dequeue() {
    detail::RawElements<T, 1> value;
    const bool found = try_dequeue(value.data());
    GRAPPA_CHECK(found) << "dequeue from an empty GlobalVector: use try_dequeue if it may be empty";
    return value[0];
  }

  /// Returns the first or the last element without removing it. Aborts if none exists. Suspends:
  /// for the master. Messages: 1 to the master and 1 from there to the owner, both answered.
  T front() { return look(false, "front"); }
  T back() { return look(true, "back"); }

  /// Addresses of the first element, of the end, of element `i`, 0 <= i < size(), which is checked,
  /// and of the array that contains the elements. Valid until the next push. Suspends: for the
  /// master. Messages: 2.
  GlobalAddress<T> begin() const { return place(this->store_.extent(), 0); }
  GlobalAddress<T> end() const {
    const detail::Extent extent = this->store_.extent();
    return place(extent, extent.size());
  }
  GlobalAddress<T> operator[](int64_t i) const {
    const detail::Extent extent = this->store_.extent();
    GRAPPA_CHECK(0 <= i && i < extent.size())
        << "element " << i << " of a GlobalVector of " << extent.size() << " elements";
    return place(extent, i);
  }
  GlobalAddress<T> storage() const {
    return GlobalAddress<T>::from_raw(this->store_.extent().array);
  }

  static const char* name() { return "GlobalVector"; }

  /// Called by create() only.
  GlobalVector(GlobalAddress<T> array, int64_t capacity, Combining mode)
      : Base(mode, array.raw_bits(), capacity) {}

 private:
  friend struct detail::LoopOver<GlobalVector>;

  static GlobalAddress<T> place(const detail::Extent& extent, int64_t i) {
    return GlobalAddress<T>::from_raw(extent.array) + extent.head + i;
  }

  T look(bool at_back, const char* what) {
    Window* const window = &this->store_;
    detail::RawElements<T, 1> value;
    const bool found = Base::at_master(
        value.data(), [window, at_back](T* there) { return window->look(at_back, there); });
    GRAPPA_CHECK(found) << what << " of an empty GlobalVector: call empty() first";
    return value[0];
  }
};

namespace detail {

/// forall(vector, body): as forall(vector->begin(), vector->size(), body), with the same forms of
/// body and the same template arguments. The vector must not be modified during the loop.
template <class T>
struct LoopOver<GlobalVector<T>> {
  template <class Options, class F>
  static void start(GlobalAddress<GlobalVector<T>> vector, const F& body) {
    const Extent extent = vector->store_.extent();
    loop_over_elements<Options>(GlobalVector<T>::place(extent, 0), extent.size(), body);
  }
};

}  // namespace detail
}  // namespace Grappa
