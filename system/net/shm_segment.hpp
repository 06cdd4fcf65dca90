#pragma once

/// The shared memory of one core, mapped by every core of its locale.
///
///     | inbound rings | return rings | buffers ... |
///
/// For each core p of the locale there are an inbound ring and a return ring. In the inbound ring,
/// p passes its own buffers to this core for execution. In the return ring, p returns buffers of
/// this core. The buffer pool of this core follows the rings.

#include "system/base/bits.hpp"
#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/mapping.hpp"
#include "system/net/buffer.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

typedef std::atomic<uint32_t> ShmRingSlot;
static_assert(sizeof(ShmRingSlot) == 4 && ATOMIC_INT_LOCK_FREE == 2,
              "a ring slot must be a lock-free 32-bit word, because processes share it");

/// A single-producer single-consumer ring of small numbers in memory that two processes share.
///
/// Entries are 1 ... 2^32-1, and 0 marks a free slot. Zero-initialized memory is therefore an empty
/// ring. Neither side reads the position of the other, so only one cache line moves per entry. (J.
/// Giacomoni et al., "FastForward for Efficient Pipeline Parallelism", PPoPP 2008.) The slots are
/// in the mapped segment; each side has its own position. Lifetime: slots must outlive both sides.
class ShmRingSide {
 public:
  ShmRingSide() = default;
  /// `capacity` must be a power of two, and all slots must be 0.
  ShmRingSide(ShmRingSlot* slots, uint32_t capacity) : slots_(slots), mask_(capacity - 1) {
    GRAPPA_CHECK(is_power_of_two(capacity));
  }

  /// Prefetches the line that the next push writes.
  void prefetch() { GRAPPA_PREFETCH(&slot()); }

  /// For the producer: pushes an entry; returns false if the ring is full. Data written before the
  /// push is visible to the consumer that pops the entry.
  bool try_push(uint32_t entry) {
    GRAPPA_DCHECK(entry != 0);
    // acquire: pairs with the release in try_pop; the consumer has taken the slot's last entry.
    if (slot().load(std::memory_order_acquire) != 0) return false;
    // release: pairs with the acquire in try_pop; the contents are visible before the index.
    slot().store(entry, std::memory_order_release);
    ++position_;
    return true;
  }

  /// For the consumer: removes and returns the oldest entry. If the ring is empty, returns 0.
  uint32_t try_pop() {
    const uint32_t entry = slot().load(std::memory_order_acquire);  // pairs with try_push
    if (entry == 0) return 0;
    slot().store(0, std::memory_order_release);  // pairs with the acquire in try_push
    ++position_;
    return entry;
  }

 private:
  ShmRingSlot& slot() { return slots_[position_ & mask_]; }

  ShmRingSlot* slots_ = nullptr;
  uint32_t mask_ = 0;
  uint32_t position_ = 0;
};

struct ShmLayout {
  Core locale_cores;
  uint32_t buffers;  // buffers in the pool of each core
  size_t buffer_bytes;
  uint32_t inbound_entries;  // powers of two
  uint32_t return_entries;

  size_t ring_bytes() const;
  size_t segment_bytes() const;
  ShmRingSlot* inbound(void* segment, Core from) const;
  ShmRingSlot* returned(void* segment, Core from) const;
  Buffer* buffer(void* segment, uint32_t index) const;
};

/// Creates the segment of this core and maps the segments of all cores of the locale. Entry k
/// belongs to the k-th core of the locale. All cores of the job must call this function together.
/// Afterwards the segments have no name and no open descriptor.
std::vector<void*> map_locale_segments(const ShmLayout& layout);

void unmap_locale_segments(const ShmLayout& layout, const std::vector<void*>& segments);

/// Maps a word that all cores of this machine share, initially zero, until the process ends. The
/// word coordinates actions that happen once per machine, even when the cores can no longer send
/// messages. Simulated locales (cores_per_locale) have no effect. Returns null if the kernel
/// isolates this core from the first core of its machine. All cores must call it together, after
/// the topology is known.
std::atomic<uint32_t>* map_machine_word();

}  // namespace detail
}  // namespace Grappa
