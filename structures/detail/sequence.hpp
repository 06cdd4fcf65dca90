#pragma once

/// What a global stack and a global queue are made of: on each core the elements that its tasks
/// have pushed, and on the master the order of all.
///
/// A batch of pushes is written to the pusher's own memory, and then one message tells the master
/// where it lies: there it takes effect as a whole. A batch of pops is one message to the master,
/// which has the cores that keep the elements send them to who pops them. Nothing is locked:
/// batches of several cores, and of pushes and pops, wait for each other only in the order in which
/// the master's messages arrive. (The paper's queue locks the master for the time of a batch.)
/// Invariant: what the master lists has been written, and stays where it is until it is taken.

#include "structures/detail/element_store.hpp"
#include "structures/detail/segment_list.hpp"
#include "system/base/ids.hpp"
#include "system/global/delegate.hpp"
#include "system/sync/mutex.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

/// Which end elements are taken from; they are pushed at the back.
enum class TakeFrom : uint8_t { Back, Front };

/// A symmetric object: `this` is the same on every core. The master is core 0.
class Sequence {
 public:
  static constexpr Core kMaster = 0;

  /// `hint`: elements that there will be, on all cores together.
  Sequence(size_t element_bytes, TakeFrom end, int64_t hint);

  /// Pushes `n_pushed` elements, and then takes up to `n_popped`. Returns how many there were. The
  /// two may be the same place. From: task or handler. Suspends: until both have taken effect.
  /// Messages: 1 to the master, and 1 back; for each run of elements that are taken from another
  /// core 2, the master's to that core, and from there.
  int64_t commit(const void* pushed, int64_t n_pushed, void* popped, int64_t n_popped);

  /// Elements that there are. From: task or handler. Suspends: for the master. Messages: 2.
  int64_t size();

  /// Removes all. From: task. Suspends: until they are.
  void clear();

  // Without combining, an operation by itself, as in the paper's Figure 5: on the master, whose
  // lock it holds from finding the place until the element is there. Elements are dealt to the
  // cores in turn.

  /// From: task or handler on the master. Suspends: while the lock is held, and for the owner.
  /// Messages: 2, or none.
  template <class T>
  void push_locked(const T& element);
  bool pop_locked(void* element);

  /// For a loop: has the master sort the runs of all elements by cores. Each core then gets its own
  /// by take_dealt(), once; the last one ends it. Nobody modifies the structure until the loop has
  /// ended. From: task. Suspends: for the master.
  uint64_t deal();
  std::vector<Segment> take_dealt(uint64_t dealt);

 private:
  struct Commit;
  struct Request;
  struct Answer;
  struct Send;
  struct Elements;
  struct Dealt;

  void store(const void* elements, int64_t n, std::vector<Segment>* segments);
  void take(int64_t n, std::vector<Segment>* taken);
  void take_for(Commit* commit, Core popper, int64_t n);
  void send_elements(Commit* commit, Core popper, int64_t offset, char* first, int64_t n);
  uint64_t keep(const void* element);
  void release(const std::vector<Segment>& own);
  Core next_owner();

  const size_t element_bytes_;
  const TakeFrom end_;
  ElementStore elements_;

  // Of the master.
  SegmentList order_;
  Mutex lock_;
  int64_t pushed_in_turn_ = 0;
};

template <class T>
void Sequence::push_locked(const T& element) {
  lock_.lock();
  Sequence* const self = this;
  const uint64_t place =
      delegate::call(next_owner(), unchecked([self, element] { return self->keep(&element); }));
  const Segment one = {place, 1};
  order_.push_back(&one, 1);
  lock_.unlock();
}

}  // namespace detail
}  // namespace Grappa
