#pragma once

/// Passes buffers between the cores of a locale without copying.
///
/// The sender writes messages into a buffer of its own pool, and pushes the index of the buffer
/// into the receiver's inbound ring. The receiver, which maps the pool, executes the messages in
/// place and returns the buffer through the sender's return ring. (A. Friedley, "Shared Memory
/// Optimizations for Distributed Memory Programming Models", 2013: ownership passing.)

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/units.hpp"
#include "system/net/link.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa { namespace detail {

typedef std::atomic<uint32_t> ShmRingSlot;
static_assert(sizeof(ShmRingSlot) == 4 && ATOMIC_INT_LOCK_FREE == 2, "shared by processes");

/// One side of a single-producer single-consumer ring in memory that two processes share. Entries
/// are 1 ... 2^32-1, and 0 marks a free slot, so zero-initialized memory is an empty ring. Each
/// side has its own position, which the other side does not read, so only one cache line moves per
/// entry. (J. Giacomoni et al., "FastForward for Efficient Pipeline Parallelism", PPoPP 2008.)
class ShmRingSide {
 public:
  ShmRingSide() = default;
  /// `capacity` must be a power of two. All slots must be 0 and outlive the object.
  ShmRingSide(ShmRingSlot* slots, uint32_t capacity) : slots_(slots), mask_(capacity - 1) {
    GRAPPA_CHECK(is_power_of_two(capacity));
  }

  void prefetch() { GRAPPA_PREFETCH(&slot()); }  // before a push

  /// For the producer: pushes an entry. Returns false if the ring is full.
  bool try_push(uint32_t entry) {
    GRAPPA_DCHECK(entry != 0);
    // acquire: pairs with the release in try_pop, so the consumer has read the previous entry.
    if (slot().load(std::memory_order_acquire) != 0) return false;
    // release: pairs with the acquire in try_pop, so the consumer sees data written before.
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

/// The layout of a segment: the shared memory of one core, mapped by every core of its locale.
///
///     | inbound rings | return rings | buffers ... |
///
/// There are two rings for each core p of the locale. In the inbound ring, p passes its own buffers
/// to this core for execution. In the return ring, p returns buffers of this core.
struct ShmLayout {
  Core locale_cores;
  uint32_t buffers;  // buffers in the pool of each core
  size_t buffer_bytes;
  uint32_t inbound_entries;  // powers of two
  uint32_t return_entries;

  size_t ring_bytes() const;
  size_t segment_bytes() const { return ring_bytes() + buffers * buffer_bytes; }
  ShmRingSlot* inbound(void* segment, Core from) const;
  ShmRingSlot* returned(void* segment, Core from) const;
  Buffer* buffer(void* segment, uint32_t index) const;
};

/// Creates the segment of this core, and returns the mapped segments of all cores of the locale, in
/// the order of the cores. All cores of the job must call it together. The segments have no name
/// and no open descriptor.
std::vector<void*> map_locale_segments(const ShmLayout& layout);

void unmap_locale_segments(const ShmLayout& layout, const std::vector<void*>& segments);

class ShmLink : public LocaleLink {
 public:
  explicit ShmLink(const ShmLayout& layout);
  ~ShmLink() override;

  Buffer* own_buffer(uint32_t index) override { return layout_.buffer(segments_[me_], index); }
  void prefetch(size_t peer) override { peers_[peer].outbound.prefetch(); }  // the ring slot
  bool try_send(size_t peer, Buffer* buffer) override {
    return peers_[peer].outbound.try_push(buffer->index + 1);
  }
  Buffer* completed() override;
  Buffer* receive() override;  // the peers are polled in turn
  void give_back(Buffer* buffer) override;

 private:
  struct Peer {
    ShmRingSide outbound;   // buffers of this core, passed to the peer
    ShmRingSide inbound;    // buffers of the peer, passed to this core
    ShmRingSide give_back;  // buffers of the peer, returned to the peer
    ShmRingSide returned;   // buffers of this core, returned by the peer
  };

  const ShmLayout layout_;
  const std::vector<void*> segments_;
  const size_t me_;
  std::vector<Peer> peers_;  // by index in the locale; this core's entry is unused
  size_t next_inbound_ = 0;
  size_t next_returned_ = 0;
};

}}  // namespace Grappa::detail
