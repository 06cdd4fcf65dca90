#include "system/net/shm_segment.hpp"

#include "system/base/bits.hpp"
#include "system/net/topology.hpp"
#include "system/net/world.hpp"

#include <unistd.h>

namespace Grappa::detail {
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

namespace {

struct Handle {
  int pid;
  int descriptor;
};

/// Returns the handles of the memory of all cores.
std::vector<Handle> handles_of_all(const SharedMemory& mine) {
  return world().all_gather(Handle{static_cast<int>(::getpid()), mine.descriptor});
}

}  // namespace

std::vector<void*> map_locale_segments(const ShmLayout& layout) {
  SharedMemory mine = create_shared_memory(layout.segment_bytes());
  const std::vector<Handle> handles = handles_of_all(mine);
  std::vector<void*> segments;
  for (const Core core : topology().locale_members) {
    const Handle& its = handles[static_cast<size_t>(core)];
    segments.push_back(core == mycore()
                           ? mine.address
                           : attach_shared_memory(its.pid, its.descriptor, mine.bytes));
  }
  world().barrier();  // all cores have mapped the segments
  close_shared_memory(&mine);
  return segments;
}

void unmap_locale_segments(const ShmLayout& layout, const std::vector<void*>& segments) {
  for (void* segment : segments) unmap(segment, layout.segment_bytes());
}

std::atomic<uint32_t>* map_machine_word() {
  const Core first = topology().machine_first;
  SharedMemory mine;
  if (mycore() == first) mine = create_shared_memory(page_bytes());
  const Handle its = handles_of_all(mine)[static_cast<size_t>(first)];
  void* const word = mycore() == first
                         ? mine.address
                         : try_attach_shared_memory(its.pid, its.descriptor, page_bytes());
  world().barrier();  // all cores have mapped the word
  close_shared_memory(&mine);
  return static_cast<std::atomic<uint32_t>*>(word);
}

}  // namespace Grappa::detail
