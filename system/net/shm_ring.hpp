#pragma once

/// A single-producer single-consumer ring of small numbers in memory that two processes share.
///
/// Entries are 1 ... 2^32-1; 0 marks a free slot, so that zero pages are an empty ring, and neither
/// side reads the other's position: one cache line moves per hand-over. (J. Giacomoni et al.,
/// "FastForward for Efficient Pipeline Parallelism", PPoPP 2008.) The slots belong to whoever maps
/// the segment; each side has a view of its own with its position. Lifetime: slots outlive both
/// views.

#include "system/base/bits.hpp"
#include "system/base/check.hpp"
#include "system/base/compiler.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

typedef std::atomic<uint32_t> ShmRingSlot;
static_assert(sizeof(ShmRingSlot) == 4 && ATOMIC_INT_LOCK_FREE == 2,
              "a ring slot must be a plain word, valid across processes");

class ShmRingView {
 protected:
  ShmRingView() = default;
  ShmRingView(ShmRingSlot* slots, uint32_t capacity) : slots_(slots), mask_(capacity - 1) {
    GRAPPA_CHECK(is_power_of_two(capacity));
  }
  ShmRingSlot& slot() { return slots_[position_ & mask_]; }
  void advance() { ++position_; }

 private:
  ShmRingSlot* slots_ = nullptr;
  uint32_t mask_ = 0;
  uint32_t position_ = 0;
};

class ShmRingProducer : public ShmRingView {
 public:
  ShmRingProducer() = default;
  /// `capacity` is a power of two; all slots are 0.
  ShmRingProducer(ShmRingSlot* slots, uint32_t capacity) : ShmRingView(slots, capacity) {}

  /// Asks for the line that the next push writes.
  void prefetch() { GRAPPA_PREFETCH(&slot()); }

  /// False if the ring is full. What was written before is visible to whoever pops the entry.
  bool try_push(uint32_t entry) {
    GRAPPA_DCHECK(entry != 0);
    // acquire: pairs with the release in try_pop; the consumer is done with the slot's last entry.
    if (slot().load(std::memory_order_acquire) != 0) return false;
    // release: pairs with the acquire in try_pop; the buffer's contents are visible before its
    // number.
    slot().store(entry, std::memory_order_release);
    advance();
    return true;
  }
};

class ShmRingConsumer : public ShmRingView {
 public:
  ShmRingConsumer() = default;
  ShmRingConsumer(ShmRingSlot* slots, uint32_t capacity) : ShmRingView(slots, capacity) {}

  /// The oldest entry, or 0 if there is none.
  uint32_t try_pop() {
    const uint32_t entry = slot().load(std::memory_order_acquire);  // pairs with try_push
    if (entry == 0) return 0;
    slot().store(0, std::memory_order_release);  // pairs with the acquire in try_push
    advance();
    return entry;
  }
};

}  // namespace detail
}  // namespace Grappa
