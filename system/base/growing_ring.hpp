#pragma once

/// A first-in first-out queue in one array that doubles when it is full and never shrinks. Unlike
/// std::deque, the queue does not allocate below its earlier maximum size.

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"

#include <cstddef>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace Grappa { namespace detail {

template <class T>
class GrowingRing {
  static_assert(std::is_trivially_copyable<T>::value, "GrowingRing moves its elements as bytes");

 public:
  GrowingRing() = default;
  GrowingRing(const GrowingRing&) = delete;
  GrowingRing& operator=(const GrowingRing&) = delete;
  ~GrowingRing() { std::free(slots_); }

  bool empty() const { return head_ == tail_; }
  size_t size() const { return tail_ - head_; }
  bool full() const { return size() == capacity_; }  // the next push_back() allocates

  /// Returns the address of the new element, which is valid until the next push.
  T* push_back(T value) {  // by value, because `value` may be an element of this ring
    if (GRAPPA_UNLIKELY(full())) grow();
    T* slot = &slots_[tail_++ & (capacity_ - 1)];
    *slot = value;
    return slot;
  }

  /// Each removes and returns one element: the oldest, or the newest. Requires a nonempty ring.
  T pop_front() {
    GRAPPA_DCHECK(!empty());
    return slots_[head_++ & (capacity_ - 1)];
  }
  T pop_back() {
    GRAPPA_DCHECK(!empty());
    return slots_[--tail_ & (capacity_ - 1)];
  }

  /// Returns the k-th oldest element, counted from 0. Requires k < size().
  const T& operator[](size_t k) const { return slots_[(head_ + k) & (capacity_ - 1)]; }

  /// Exchanges two elements, given by their positions from the oldest. Requires both < size().
  void exchange(size_t a, size_t b) {
    std::swap(slots_[(head_ + a) & (capacity_ - 1)], slots_[(head_ + b) & (capacity_ - 1)]);
  }

 private:
  GRAPPA_NOINLINE void grow() {
    const size_t count = size();
    const size_t bigger = capacity_ == 0 ? 64 : 2 * capacity_;
    T* slots = static_cast<T*>(std::malloc(bigger * sizeof(T)));
    GRAPPA_CHECK(slots != nullptr) << "out of memory for a queue of " << bigger << " entries";
    for (size_t k = 0; k < count; ++k) slots[k] = (*this)[k];
    std::free(slots_);
    slots_ = slots;
    capacity_ = bigger;
    head_ = 0;
    tail_ = count;
  }

  T* slots_ = nullptr;
  size_t capacity_ = 0;  // 0 or a power of two
  size_t head_ = 0;
  size_t tail_ = 0;
};

}}  // namespace Grappa::detail
