#include "system/net/shm_segment.hpp"

#include "system/base/bits.hpp"
#include "system/net/topology.hpp"
#include "system/net/world.hpp"

#include <cstring>

#include <unistd.h>

namespace Grappa {
namespace detail {
namespace {

size_t padded(uint32_t entries) { return align_up(entries * sizeof(ShmRingSlot), kCacheLineBytes); }

template <class T>
T* at(void* segment, size_t offset) {
  return reinterpret_cast<T*>(static_cast<char*>(segment) + offset);
}

}  // namespace

size_t ShmLayout::ring_bytes() const {
  const size_t all = static_cast<size_t>(locale_cores);
  return align_up(all * (padded(inbound_entries) + padded(return_entries)), page_bytes());
}

size_t ShmLayout::segment_bytes() const { return ring_bytes() + buffers * buffer_bytes; }

ShmRingSlot* ShmLayout::inbound(void* segment, Core from) const {
  return at<ShmRingSlot>(segment, static_cast<size_t>(from) * padded(inbound_entries));
}

ShmRingSlot* ShmLayout::returned(void* segment, Core from) const {
  const size_t behind_inbound = static_cast<size_t>(locale_cores) * padded(inbound_entries);
  return at<ShmRingSlot>(segment,
                         behind_inbound + static_cast<size_t>(from) * padded(return_entries));
}

Buffer* ShmLayout::buffer(void* segment, uint32_t index) const {
  return at<Buffer>(segment, ring_bytes() + index * buffer_bytes);
}

std::vector<void*> map_locale_segments(const ShmLayout& layout) {
  struct Handle {
    int pid;
    int descriptor;
  };
  SharedMemory mine = create_shared_memory(layout.segment_bytes());
  const Handle my_handle = {static_cast<int>(::getpid()), mine.descriptor};
  const std::vector<char> handles = detail::world().all_gather(&my_handle, sizeof my_handle);
  std::vector<void*> segments;
  for (const Core core : topology().locale_members) {
    if (core == mycore()) {
      segments.push_back(mine.address);
      continue;
    }
    Handle handle;
    std::memcpy(&handle, handles.data() + static_cast<size_t>(core) * sizeof handle, sizeof handle);
    segments.push_back(attach_shared_memory(handle.pid, handle.descriptor, mine.bytes));
  }
  detail::world().barrier();  // all cores have mapped the segments
  close_shared_memory(&mine);
  return segments;
}

void unmap_locale_segments(const ShmLayout& layout, const std::vector<void*>& segments) {
  for (void* segment : segments) unmap(segment, layout.segment_bytes());
}

}  // namespace detail
}  // namespace Grappa
