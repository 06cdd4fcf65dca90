#include "system/net/shm_link.hpp"

#include "system/base/check.hpp"
#include "system/net/topology.hpp"

#include <algorithm>

namespace Grappa::detail {

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

Buffer* ShmLink::reclaim() {
  for (size_t tries = 0; tries < peers_.size(); ++tries) {
    const uint32_t entry = peers_[next_returned_].returned.try_pop();
    if (entry != 0) return own_buffer(entry - 1);  // stay: a peer often returns several in a row
    next_returned_ = next_returned_ + 1 == peers_.size() ? 0 : next_returned_ + 1;
  }
  return nullptr;
}

}  // namespace Grappa::detail
