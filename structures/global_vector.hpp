#pragma once

/// A vector that all cores share: one array of the global heap, with pushes and pops at its ends.
///
///     GlobalAddress<GlobalVector<VertexID>> found = GlobalVector<VertexID>::create();
///     forall(vertices, n, [found](Vertex& v) { if (matches(v)) found->push(v.id); });
///     forall(found, [](int64_t i, VertexID& v) { ... });
///     VertexID last = found->pop(), first = found->dequeue();
///     found->destroy();
///
/// Linearizable: there is one order of all operations, in which each operation takes effect between
/// its call and its return. Flat-combined (flat_combiner.hpp): the operations of one core's tasks
/// are sent in batches. Each batch locks the master while it copies its elements
/// (detail/window.hpp), so batches are serialised. GlobalStack and GlobalQueue need no lock, since
/// their elements are not in one array. A push and a pop that meet on their core match: the pop
/// takes the value of the push at once, and the two operations are adjacent in the order. A dequeue
/// does not match a push, since the vector may have other elements in front.
///
/// The array is contiguous, so elements have consecutive linear addresses. As in a std::vector, an
/// address is valid until the next push, which may move all elements to a larger array.

#include "structures/combining.hpp"
#include "structures/counters.hpp"
#include "structures/detail/element.hpp"
#include "structures/detail/matching_proxy.hpp"
#include "structures/detail/window.hpp"
#include "structures/flat_combiner.hpp"
#include "system/base/check.hpp"
#include "system/global/delegate_async.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

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

/// T must be trivially copyable, with a size of 1, 2, 4, 8, 16, 32 or 64 bytes. For all operations
/// on elements: From: task or handler. Messages: those of a batch, see detail/window.hpp.
template <class T>
class GlobalVector {
  static_assert(detail::IsElement<T>::value, "");
  typedef detail::Window Window;
  typedef detail::Popped<T> Taken;

 public:
  typedef T value_type;

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
    global_free(self());
  }

  /// Appends an element. If the array is full, all elements move. Suspends: until the value is in
  /// the vector, or a pop has taken the value.
  void push(const T& value) {
    if (mode_ == Combining::Distributed) return combiner_->push(value);
    GlobalVector* const self = this;
    const T copy = value;
    count_message();
    delegate::call(Window::kMaster, unchecked([self, copy] { self->push_at_master(copy); }));
  }

  /// As push, but asynchronous: the caller's scope waits. Suspends: in a task, while no message
  /// buffer is free, or if the proxy is full during several commits.
  template <SyncMode S>
  typename std::enable_if<S == SyncMode::Async>::type push(const T& value) {
    if (mode_ == Combining::Distributed) return combiner_->push_async(value);
    GlobalVector* const self = this;
    const T copy = value;
    count_message();
    delegate::call<async>(Window::kMaster,
                          unchecked([self, copy] { self->push_at_master_async(copy); }));
  }
  template <SyncMode S>
  typename std::enable_if<S == SyncMode::Blocking>::type push(const T& value) {
    push(value);
  }

  /// Removes the last element, or the first. If there is none, returns false and leaves `value`.
  /// Suspends: until done.
  bool try_pop(T* value) {
    if (mode_ == Combining::Distributed) return combiner_->try_pop(value);
    return take_at_master(End::Back, value);
  }
  bool try_dequeue(T* value) {
    if (mode_ == Combining::Distributed) return combiner_->try_dequeue(value);
    return take_at_master(End::Front, value);
  }

  /// Removes and returns an element. Aborts if there is none. Suspends: until done.
  T pop() {
    detail::RawElements<T, 1> value;
    check_any(try_pop(value.data()), "pop from", "use try_pop if it may be empty");
    return value[0];
  }
  T dequeue() {
    detail::RawElements<T, 1> value;
    check_any(try_dequeue(value.data()), "dequeue from", "use try_dequeue if it may be empty");
    return value[0];
  }

  /// Returns the first or the last element without removing it. Aborts if there is none. Suspends:
  /// for the master. Messages: 1 to the master and 1 from there to the owner, both answered.
  T front() { return look(End::Front, "front of"); }
  T back() { return look(End::Back, "back of"); }

  /// The number of elements. Suspends: until the master answers. Messages: 2.
  int64_t size() const { return window_.extent().size(); }
  bool empty() const { return size() == 0; }

  /// Removes all elements atomically. Keeps the array. Suspends: until they are removed.
  void clear() { window_.clear(); }

  /// Addresses of the first element, of the end, of element `i`, 0 <= i < size(), which is checked,
  /// and of the array that contains the elements. Valid until the next push. Suspends: for the
  /// master. Messages: 2.
  GlobalAddress<T> begin() const { return place(window_.extent(), 0); }
  GlobalAddress<T> end() const {
    const detail::Extent extent = window_.extent();
    return place(extent, extent.size());
  }
  GlobalAddress<T> operator[](int64_t i) const {
    const detail::Extent extent = window_.extent();
    GRAPPA_CHECK(0 <= i && i < extent.size())
        << "element " << i << " of a GlobalVector of " << extent.size() << " elements";
    return place(extent, i);
  }
  GlobalAddress<T> storage() const { return GlobalAddress<T>::from_raw(window_.extent().array); }

  Combining combining() const { return mode_; }

  /// Called by create() only.
  GlobalVector(GlobalAddress<T> array, int64_t capacity, Combining mode)
      : window_(sizeof(T), array.raw_bits(), capacity), mode_(mode), combiner_(&window_) {}

 private:
  friend struct detail::LoopOver<GlobalVector>;
  enum class End { Front, Back };

  static GlobalAddress<T> place(const detail::Extent& extent, int64_t i) {
    return GlobalAddress<T>::from_raw(extent.array) + extent.head + i;
  }

  static void check_any(bool found, const char* what, const char* advice) {
    GRAPPA_CHECK(found) << what << " an empty GlobalVector: " << advice;
  }

  static void count_message() {
    if (mycore() != Window::kMaster) ++detail::structure_counters::master_messages;
  }

  GlobalAddress<GlobalVector> self() { return make_global(this, Window::kMaster); }

  void push_at_master(const T& value) {
    if (mode_ == Combining::Centralized) return combiner_->push(value);
    detail::Batch batch = {&value, 1, nullptr, 0, nullptr, 0};
    window_.commit(&batch);
  }

  void push_at_master_async(const T& value) {
    if (mode_ == Combining::Centralized) return combiner_->push_async(value);
    // The push runs in a task, since the number of concurrent tasks is bounded.
    GlobalVector* const self = this;
    const T copy = value;
    spawn([self, copy] { self->push_at_master(copy); });
  }

  bool take_at_master(End end, T* value) {
    GlobalVector* const self = this;
    count_message();
    Taken taken = delegate::call(Window::kMaster, [self, end] { return self->take(end); });
    if (taken.found) *value = taken.value[0];
    return taken.found;
  }

  // Runs on the master.
  Taken take(End end) {
    Taken taken;
    T* const value = taken.value.data();
    if (mode_ == Combining::Centralized) {
      taken.found = end == End::Back ? combiner_->try_pop(value) : combiner_->try_dequeue(value);
    } else {
      detail::Batch batch = {
          nullptr, 0, value, end == End::Back ? 1 : 0, value, end == End::Front ? 1 : 0};
      window_.commit(&batch);
      taken.found = batch.n_from_back + batch.n_from_front != 0;
    }
    return taken;
  }

  T look(End end, const char* what) {
    Window* const window = &window_;
    count_message();
    Taken seen = delegate::call(Window::kMaster, [window, end] {
      Taken there;
      there.found = window->look(end == End::Back, there.value.data());
      return there;
    });
    check_any(seen.found, what, "call empty() first");
    return seen.value[0];
  }

  Window window_;  // must precede the combiner, whose proxies use it
  const Combining mode_;
  FlatCombiner<detail::VectorProxy<T>> combiner_;
};

namespace detail {

/// forall(vector, body): as forall(vector->begin(), vector->size(), body), with the same forms of
/// body and the same template arguments. The vector must not be modified during the loop.
template <class T>
struct LoopOver<GlobalVector<T>> {
  template <class Options, class F>
  static void start(GlobalAddress<GlobalVector<T>> vector, const F& body) {
    const Extent extent = vector->window_.extent();
    loop_over_elements<Options>(GlobalVector<T>::place(extent, 0), extent.size(), body);
  }
};

}  // namespace detail
}  // namespace Grappa
