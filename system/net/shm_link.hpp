#pragma once

/// Hand-over of buffers between the cores of a locale: nothing is copied, a buffer changes its
/// owner.
///
/// The sender writes messages into a buffer of its own stock, which the receiver maps too, and
/// pushes the buffer's number into the receiver's inbound ring; the receiver executes it in place
/// and gives it back through the sender's return ring. (A. Friedley, "Shared Memory Optimizations
/// for Distributed Memory Programming Models", 2013: ownership passing.) Between two cores buffers
/// arrive in the order sent.

#include "system/net/buffer.hpp"
#include "system/net/shm_ring.hpp"
#include "system/net/shm_segment.hpp"

#include <cstddef>
#include <vector>

namespace Grappa {
namespace detail {

class ShmLink {
 public:
  explicit ShmLink(const ShmLayout& layout);
  ~ShmLink();
  ShmLink(const ShmLink&) = delete;
  ShmLink& operator=(const ShmLink&) = delete;

  /// Buffer `index` of this core's stock.
  Buffer* own_buffer(uint32_t index) { return layout_.buffer(segments_[me_], index); }

  /// Hands a buffer of this core's stock to the locale's core `peer`. False if the ring is full.
  bool try_send(size_t peer, Buffer* buffer) {
    return peers_[peer].outbound.try_push(buffer->index + 1);
  }

  /// Asks for the memory that handing a buffer to `peer` will write.
  void prefetch(size_t peer) { peers_[peer].outbound.prefetch(); }

  /// The next buffer that another core has handed over, or null. Peers take turns.
  Buffer* receive();

  /// Gives a received buffer back to the core that owns it.
  void give_back(Buffer* buffer);

  /// The next buffer of this core's stock that has come back, or null.
  Buffer* reclaim();

 private:
  struct Peer {
    ShmRingProducer outbound;   // my buffers to it
    ShmRingConsumer inbound;    // its buffers to me
    ShmRingProducer give_back;  // its buffers back to it
    ShmRingConsumer returned;   // my buffers back from it
  };

  const ShmLayout layout_;
  const std::vector<void*> segments_;
  const size_t me_;
  std::vector<Peer> peers_;  // by place in the locale; this core's own entry is unused
  size_t next_inbound_ = 0;
  size_t next_returned_ = 0;
};

}  // namespace detail
}  // namespace Grappa
