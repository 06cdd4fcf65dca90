#pragma once

/// The base of a global vector: one linear array of the global heap, and on the master a window,
/// the range of the array that holds elements.
///
/// A batch acquires the lock of the master, which answers with the window. The batch then copies
/// its pushed elements behind the end, copies its popped elements from both ends, and returns the
/// changed window together with the lock. (B. Holt et al., "Flat Combining Synchronized Global Data
/// Structures", PGAS 2013, Figure 5.) When the end of the array is reached, the holder of the lock
/// moves the elements: to the front of the array if they fill less than half of it, otherwise to a
/// new array of twice the size. So the amortized cost of moving is constant for each push.
/// Invariant: only the holder of the lock has the current window; other readers see the window at
/// the last release of the lock.

#include "system/base/ids.hpp"
#include "system/sync/mutex.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

/// Indices of the array, in elements: the elements are in the range from `head` to `tail` - 1.
struct Extent {
  uint64_t array;  // raw bits of a linear address
  int64_t capacity;
  int64_t head;
  int64_t tail;

  int64_t size() const { return tail - head; }
};

/// A batch pushes at the back, then pops from the back, then pops from the front.
struct Batch {
  const void* pushed;
  int64_t n_pushed;
  // Buffers for popped elements, in array order. A count is the requested, then the actual number.
  void* from_back;
  int64_t n_from_back;
  void* from_front;
  int64_t n_from_front;
};

/// A symmetric object: `this` is the same on every core. The master is core 0.
class Window {
 public:
  static constexpr Core kMaster = 0;
  static constexpr int64_t kLeastCapacity = 1024;

  Window(size_t element_bytes, uint64_t array, int64_t capacity)
      : element_bytes_(element_bytes), extent_{array, capacity, 0, 0} {}

  /// Executes the batch atomically. If the array must grow and the heap is full, the job aborts.
  /// From: task or handler. Suspends: until the batch has taken effect. Messages: 2 to the master,
  /// answered, or 1 if there are no elements to pop; and those of memcpy.
  void commit(Batch* batch);

  // Batches of one element. The last function removes the first element.
  template <class T>
  void push_locked(const T& element) {
    Batch batch = {&element, 1, nullptr, 0, nullptr, 0};
    commit(&batch);
  }
  bool pop_locked(void* element);
  bool dequeue_locked(void* element);

  /// The number of elements at a recent moment, as extent().
  int64_t size() const { return extent().size(); }

  /// The window at a recent moment. From: task or handler. Suspends: for the master. Messages: 2.
  Extent extent() const;

  /// Copies the first or the last element. Returns false if the window is empty. From: task or
  /// handler on the master. Suspends: while another task holds the lock, and until the owner has
  /// replied.
  bool look(bool at_back, void* element);

  /// From: task or handler. Suspends: until the window is empty. Messages: 2.
  void clear();

 private:
  struct Grant {
    Extent extent;
    bool locked;
  };

  Grant acquire(bool only_if_any);
  void release(const Extent& extent);
  void make_room(Extent* extent, int64_t n);

  const size_t element_bytes_;

  // Used on the master only.
  Extent extent_;
  Mutex lock_;
};

}  // namespace detail
}  // namespace Grappa
