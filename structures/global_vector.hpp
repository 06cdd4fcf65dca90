#pragma once

/// A vector that all cores share: one array of the global heap, with pushes and pops at its ends.
///
///     GlobalAddress<GlobalVector<VertexID>> found = GlobalVector<VertexID>::create();
///     forall(vertices, n, [found](Vertex& v) { if (matches(v)) found->push(v.id); });
///     forall(found, [](int64_t i, VertexID& v) { ... });
///     VertexID last = found->pop(), first = found->dequeue();
///     found->destroy();
///
/// A vector is linearizable (combining.hpp) and flat-combined (flat_combiner.hpp): the operations
/// of one core's tasks are sent in batches. Each batch holds the master's lock while it copies
/// elements. So batches are serialised, unlike the batches of GlobalStack and GlobalQueue. A push
/// and a pop match if they wait on one core at the same time. Elements have consecutive linear
/// addresses. As in a std::vector, an address is valid until the next push, which may move all
/// elements to a larger array.

#include "structures/detail/combined_sequence.hpp"
#include "structures/detail/matching_proxy.hpp"
#include "system/base/check.hpp"
#include "system/global/address.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/sync/mutex.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

/// The range of the elements in their array: the indices `head` to `tail` - 1.
struct Extent {
  GlobalAddress<char> array;
  int64_t capacity;
  int64_t head;
  int64_t tail;

  int64_t size() const { return tail - head; }
};

/// A batch pushes at the back, then pops from the back, then pops from the front.
struct Batch {
  const void* pushed;
  int64_t n_pushed;
  // Buffers for popped elements, in array order. commit() sets each number to the actual number.
  void* from_back;
  int64_t n_from_back;
  void* from_front;
  int64_t n_from_front;
};

/// The base of a global vector. It has one linear array, and on the master a window: the range of
/// the array that holds elements. It is a symmetric object, so `this` is the same on every core.
///
/// A batch acquires the lock of the master, which answers with the window. The batch then copies
/// its elements, and returns the changed window together with the lock (Figure 5 of the paper). If
/// the window reaches the end of the array, the holder of the lock moves the elements. If they fill
/// less than half of the array, they move to the front, otherwise to a new array of twice the size.
/// So a push has constant amortized cost. Invariant: only the holder of the lock has the current
/// window. Other readers get the window as it was when the lock was last released.
class Window {
 public:
  Window(Core master, size_t element_bytes, Extent extent)
      : master_(master), element_bytes_(static_cast<int64_t>(element_bytes)), extent_(extent) {}

  Core master() const { return master_; }

  /// Executes the batch atomically. Aborts if the heap is full. From: task or handler. Suspends:
  /// until done. Messages: those of memcpy, and 4 for the lock, or 2 if no element exists.
  void commit(Batch* batch);

  // As Sequence. Each operation needs the lock, also in a job of one core.
  static bool push_alone(const void*) { return false; }
  static bool pop_alone(void*, bool*) { return false; }

  void push_locked(const void* element);  // both functions commit a batch of one element
  bool pop_locked(void* element, bool from_front = false);

  /// The window at the last release. From: task or handler. Suspends: until done. Messages: 2.
  Extent extent() const;
  int64_t size() const { return extent().size(); }

  /// Copies the first or the last element. Returns false if the window is empty. From: task or
  /// handler on the master. Suspends: until the lock is free and the owner has answered.
  bool look(bool at_back, void* element);

  /// Removes all elements. From: task or handler. Suspends: until done. Messages: 4.
  void clear();

 private:
  struct Grant {
    Extent extent;
    bool locked;
  };

  Grant acquire(bool only_if_any);
  void release(const Extent& extent);
  void make_room(Extent* extent, int64_t n);  // makes space for `n` pushes; requires the lock
  void read(const Extent& extent, int64_t i, int64_t n, void* elements) const;
  GlobalAddress<char> place(const Extent& extent, int64_t i) const {
    return extent.array + i * element_bytes_;
  }

  const Core master_;
  const int64_t element_bytes_;
  Extent extent_;  // used on the master only, like the lock
  Mutex lock_;
};

/// Pushes and pops match until a dequeue arrives.
template <class T>
class VectorProxy : public MatchingProxy<T> {
  typedef typename MatchingProxy<T>::Taker Taker;

 public:
  explicit VectorProxy(Window* window) : window_(window) {}

  bool try_dequeue(T* value) {
    this->check_open();
    this->match_ = false;
    return this->wait_as(&dequeues_[n_dequeued_++], value);
  }

  void sync() override {
    // The array has space for one pushed or removed element of each request.
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

/// T must be trivially copyable, with a size of 1, 2, 4, 8, 16, 32 or 64 bytes.
/// detail/combined_sequence.hpp documents the operations of all sequences. clear() keeps the array.
/// All operations on elements: From: task or handler. Messages: those of Window::commit.
template <class T>
class GlobalVector
    : public detail::CombinedSequence<GlobalVector<T>, T, detail::Window, detail::VectorProxy<T>> {
  static_assert(detail::IsElement<T>::value, "");
  typedef detail::CombinedSequence<GlobalVector, T, detail::Window, detail::VectorProxy<T>> Base;

 public:
  /// Frees the array, then destroys the vector like the base class.
  void destroy() {
    global_free(storage());
    Base::destroy();
  }

  /// Like try_pop(), but removes the first element. Suspends: until done.
  bool try_dequeue(T* value) {
    if (this->mode_ == Combining::Distributed) return this->combiner_->try_dequeue(value);
    return Base::at_master(value, [this](T* place) {
      return this->mode_ == Combining::None ? this->store_.pop_locked(place, true)
                                            : this->combiner_->try_dequeue(place);
    });
  }

  /// Like try_dequeue(), but if there is no element, aborts the job. Suspends: until done.
  T dequeue() {
    detail::RawElements<T, 1> value;
    const bool found = try_dequeue(value.data());
    GRAPPA_CHECK(found) << "dequeue from an empty GlobalVector: use try_dequeue if it may be empty";
    return value[0];
  }

  /// Returns the first or the last element without removing it. Aborts if the vector is empty.
  /// Suspends: until done. Messages: 2, and 2 between the master and the owner.
  T front() { return look(false, "front"); }
  T back() { return look(true, "back"); }

  /// Return the address of the first element, of the end, of element `i`, or of the array. The
  /// index is checked. An address is valid until the next push. Suspends: until done. Messages: 2.
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
  GlobalAddress<T> storage() const { return GlobalAddress<T>(this->store_.extent().array); }

  /// forall(vector, body) means forall(vector->begin(), vector->size(), body), with the same forms
  /// of body and the same template arguments. The vector must not be modified during the loop.
  template <class Options, class F>
  void start_loop(const F& body) {
    const detail::Extent extent = this->store_.extent();
    detail::start_loop(Options(), place(extent, 0), extent.size(), body);
  }

  static const char* name() { return "GlobalVector"; }

  GlobalVector(detail::Extent empty, Combining mode, Core master)  // for create()
      : Base(mode, master, empty) {}

 private:
  friend Base;

  static detail::Extent prepare(int64_t capacity_hint) {
    const int64_t capacity = std::max<int64_t>(capacity_hint, 1024);
    return {GlobalAddress<char>(global_alloc<T>(capacity)), capacity, 0, 0};
  }

  static GlobalAddress<T> place(const detail::Extent& extent, int64_t i) {
    return GlobalAddress<T>(extent.array) + extent.head + i;
  }

  T look(bool at_back, const char* what) {
    detail::RawElements<T, 1> value;
    const bool found = Base::at_master(
        value.data(), [this, at_back](T* there) { return this->store_.look(at_back, there); });
    GRAPPA_CHECK(found) << what << " of an empty GlobalVector: call empty() first";
    return value[0];
  }
};

}  // namespace Grappa
