#include "system/net/shm_link.hpp"

#include "system/base/mapping.hpp"
#include "system/net/topology.hpp"
#include "system/net/world.hpp"

#include <algorithm>
#include <utility>

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
  SharedMemory mine = create_shared_memory(layout.segment_bytes());
  const auto handles = world().all_gather(std::pair<int, int>(::getpid(), mine.descriptor));
  std::vector<void*> segments;
  for (const Core core : topology().locale_members) {
    const auto& [pid, descriptor] = handles[static_cast<size_t>(core)];
    segments.push_back(core == mycore() ? mine.address
                                        : attach_shared_memory(pid, descriptor, mine.bytes));
  }
  world().barrier();  // all cores have mapped the segments
  close_shared_memory(&mine);
  return segments;
}

void unmap_locale_segments(const ShmLayout& layout, const std::vector<void*>& segments) {
  for (void* segment : segments) unmap(segment, layout.segment_bytes());
}

ShmLink::ShmLink(const ShmLayout& layout)
    : layout_(layout),
      segments_(map_locale_segments(layout)),
      me_(static_cast<size_t>(locale_mycore())),
      peers_(segments_.size()) {
  const Core me = locale_mycore();
  const uint32_t inbound = layout.inbound_entries, returned = layout.return_entries;
  for (size_t p = 0; p < peers_.size(); ++p) {
    const Core peer = static_cast<Core>(p);
    peers_[p] = Peer{ShmRingSide(layout_.inbound(segments_[p], me), inbound),
                     ShmRingSide(layout_.inbound(segments_[me_], peer), inbound),
                     ShmRingSide(layout_.returned(segments_[p], me), returned),
                     ShmRingSide(layout_.returned(segments_[me_], peer), returned)};
  }
}

ShmLink::~ShmLink() { unmap_locale_segments(layout_, segments_); }

Buffer* ShmLink::receive() {
  for (size_t tries = 0; tries < peers_.size(); ++tries) {
    const size_t peer = next_inbound_;
    next_inbound_ = peer + 1 == peers_.size() ? 0 : peer + 1;
    if (peer == me_) continue;
    const uint32_t entry = peers_[peer].inbound.try_pop();
    if (entry != 0) return layout_.buffer(segments_[peer], entry - 1);
  }
  return nullptr;
}

void ShmLink::give_back(Buffer* buffer) {
  const auto& members = topology().locale_members;
  const auto owner = std::lower_bound(members.begin(), members.end(), buffer->owner);
  const bool pushed =
      peers_[static_cast<size_t>(owner - members.begin())].give_back.try_push(buffer->index + 1);
  // A return ring has space for the owner's whole pool, so it is never full.
  GRAPPA_CHECK(pushed) << "return ring to core " << buffer->owner << " is full";
}

Buffer* ShmLink::completed() {
  for (size_t tries = 0; tries < peers_.size(); ++tries) {
    const uint32_t entry = peers_[next_returned_].returned.try_pop();
    if (entry != 0) return own_buffer(entry - 1);  // stay: a peer often returns several in a row
    next_returned_ = next_returned_ + 1 == peers_.size() ? 0 : next_returned_ + 1;
  }
  return nullptr;
}

}  // namespace Grappa::detail
