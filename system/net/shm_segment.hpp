#pragma once

/// The shared memory of one core, mapped by every core of its locale.
///
///     | inbound rings | return rings | buffers ... |
///
/// For each core p of the locale there are an inbound ring and a return ring. In the inbound ring,
/// p passes its own buffers to this core for execution. In the return ring, p returns buffers of
/// this core. The buffer pool of this core follows the rings.

#include "system/base/mapping.hpp"
#include "system/net/buffer.hpp"
#include "system/net/shm_ring.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

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
