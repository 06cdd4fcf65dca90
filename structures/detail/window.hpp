#pragma once

/// What a global vector is made of: one linear array of the global heap, and on the master the
/// window of it in which elements are.
///
/// A batch locks the master, which answers with the window; copies what it pushes behind the end
/// and what it takes from both ends, all of it whole; and gives the window back, changed, with the
/// lock. (B. Holt et al., "Flat Combining Synchronized Global Data Structures", PGAS 2013, Figure
/// 5.) When the end of the array is reached the one that holds the lock moves the elements: to the
/// front of the array if they fill less than half of it, or else into one twice as long, so that
/// moving costs each push a constant share. Invariant: who holds the lock alone knows where the
/// elements are; who does not sees the window as it was when the lock was last free.

#include "system/base/ids.hpp"
#include "system/sync/mutex.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

/// In elements, counted from the beginning of the array: those from `head` to `tail`.
struct Extent {
  uint64_t array;  // bits of a linear address
  int64_t capacity;
  int64_t head;
  int64_t tail;

  int64_t size() const { return tail - head; }
};

/// Pushes at the back, then takes from the back, then takes from the front.
struct Batch {
  const void* pushed;
  int64_t n_pushed;
  // Room for as many as wanted; then how many there were. Both in the order of the array.
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

  /// Ends the job if the array must grow and the heap has no room. From: task or handler. Suspends:
  /// until all of it has taken effect, at one moment. Messages: to the master 2, answered, or 1 if
  /// there is nothing to be taken; and those of memcpy.
  void commit(Batch* batch);

  /// Where the elements are, or have been a moment ago. From: task or handler. Suspends: for the
  /// master. Messages: 2.
  Extent extent() const;

  /// Copies the first or the last element. Returns false if the window is empty. On the master.
  /// From: task or handler. Suspends: while the lock is held, and for the owner.
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

  // Of the master.
  Extent extent_;
  Mutex lock_;
};

}  // namespace detail
}  // namespace Grappa
