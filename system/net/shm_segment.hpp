#pragma once

/// The shared memory of one core, as every core of its locale maps it.
///
///     | inbound rings | return rings | buffers ... |
///
/// For each core p of the locale: an inbound ring, in which p tells this core which of p's buffers
/// to execute, and a return ring, in which p gives this core's buffers back. Then this core's
/// stock.

#include "system/base/mapping.hpp"
#include "system/net/buffer.hpp"
#include "system/net/shm_ring.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

struct ShmLayout {
  Core locale_cores;
  uint32_t buffers;  // stock of each core
  size_t buffer_bytes;
  uint32_t inbound_entries;  // powers of two
  uint32_t return_entries;

  size_t ring_bytes() const;
  size_t segment_bytes() const;
  ShmRingSlot* inbound(void* segment, Core from) const;
  ShmRingSlot* returned(void* segment, Core from) const;
  Buffer* buffer(void* segment, uint32_t index) const;
};

/// Creates this core's segment and maps those of all cores of the locale; entry k belongs to the
/// locale's k-th core. Called by all cores of the job together. Afterwards the segments have no
/// name and no open descriptor.
std::vector<void*> map_locale_segments(const ShmLayout& layout);

void unmap_locale_segments(const ShmLayout& layout, const std::vector<void*>& segments);

}  // namespace detail
}  // namespace Grappa
