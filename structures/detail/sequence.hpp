#pragma once

/// The base of global stacks and queues: a core stores the elements that its tasks push, and the
/// master stores the order of all elements.
///
/// A batch of pushes is written to the memory of its core. Then one message passes the addresses to
/// the master, and the whole batch takes effect there. A batch of pops is one message to the
/// master, which requests the cores with these elements to send them to the popping core. There are
/// no locks: batches are ordered only by the arrival of their messages at the master. (The queue in
/// the paper locks the master during a batch.) Invariant: an element in the master's list is
/// written, and its address does not change until the element is removed.

#include "structures/detail/element_store.hpp"
#include "system/base/ids.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/sync/mutex.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace Grappa {
namespace detail {

/// The end from which elements are removed. Elements are pushed at the back.
enum class TakeFrom : uint8_t { Back, Front };

/// Consecutive elements on one core. Sent between cores.
struct Segment {
  GlobalAddress<char> first;
  int64_t n;
};

/// A symmetric object: `this` is the same on every core. The master is core 0.
class Sequence {
 public:
  static constexpr Core kMaster = 0;

  /// `hint`: the expected number of elements on all cores together.
  Sequence(size_t element_bytes, TakeFrom end, int64_t hint);

  /// Pushes `n_pushed` elements, then pops up to `n_popped` elements. Returns the number of popped
  /// elements. `pushed` and `popped` may be the same address. From: task or handler. Suspends:
  /// until both have taken effect. Messages: 1 to the master, and 1 back; 2 for each segment of
  /// popped elements on another core: from the master to that core, and from there.
  int64_t commit(const void* pushed, int64_t n_pushed, void* popped, int64_t n_popped);

  /// The number of elements. From: task or handler. Suspends: for the master. Messages: 2.
  int64_t size() const;

  /// Removes all elements. From: task. Suspends: until they are removed.
  void clear();

  // Without combining, as in the paper's Figure 5. An operation locks the master until the element
  // is written or read. The cores store elements in turn.

  /// From: task or handler on the master. Suspends: for lock and owner. Messages: 2 or 0.
  template <class T>
  void push_locked(const T* element) {
    lock_.lock();
    Sequence* const self = this;
    const T copy = *element;
    const Segment one = delegate::call(
        next_owner(), unchecked([self, copy] { return self->store_some(&copy, 1); }));
    add(&one, 1);
    lock_.unlock();
  }
  bool pop_locked(void* element);

  /// For a loop: the master sorts all segments by core, and removes all elements if `remove` is
  /// true. Each core must then call take_dealt() once to get its own segments; the last call frees
  /// them. Without `remove`, the structure must not be modified until the loop has finished. From:
  /// task. Suspends: until the master answers.
  uint64_t deal(bool remove);
  std::vector<Segment> take_dealt(uint64_t dealt);

 private:
  struct Commit;
  struct Dealt;

  /// Stores up to `n` elements on this core, as many as one segment can hold.
  Segment store_some(const void* elements, int64_t n);
  void send_elements(Commit* commit, Core popper, int64_t offset, char* first, int64_t n);

  // On the master.
  void add(const Segment* segments, size_t n);
  std::vector<Segment> take(int64_t n);
  void take_for(Commit* commit, Core popper, int64_t n);
  Core next_owner();

  const int64_t element_bytes_;
  const TakeFrom end_;
  ElementStore elements_;

  // The order of the elements, on the master. A batch of a proxy usually has one or two segments,
  // so a thousand elements take one entry. Adjacent segments are joined.
  std::deque<Segment> order_;
  int64_t size_ = 0;
  Mutex lock_;
  int64_t pushed_in_turn_ = 0;
};

}  // namespace detail
}  // namespace Grappa
