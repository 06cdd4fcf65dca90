#pragma once

/// Passes buffers between the cores of a locale without copying.
///
/// The sender writes messages into a buffer of its own pool, which the receiver maps, too. Then the
/// sender pushes the index of the buffer into the receiver's inbound ring. The receiver executes
/// the messages in place and returns the buffer through the sender's return ring. (A. Friedley,
/// "Shared Memory Optimizations for Distributed Memory Programming Models", 2013: ownership
/// passing.) Between two cores, buffers arrive in the order of the sends.

#include "system/net/buffer.hpp"
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

  /// Buffer `index` of this core's pool.
  Buffer* own_buffer(uint32_t index) { return layout_.buffer(segments_[me_], index); }

  /// Passes a buffer of this core's pool to core `peer` of the locale. False if the ring is full.
  bool try_send(size_t peer, Buffer* buffer) {
    return peers_[peer].outbound.try_push(buffer->index + 1);
  }

  /// Prefetches the ring slot that the next try_send to `peer` writes.
  void prefetch(size_t peer) { peers_[peer].outbound.prefetch(); }

  /// Returns the next buffer passed by another core, or null. Peers are tried in turn.
  Buffer* receive();

  /// Returns a received buffer to its owner.
  void give_back(Buffer* buffer);

  /// Returns the next buffer of this core's pool that a receiver has returned, or null.
  Buffer* reclaim();

 private:
  struct Peer {
    ShmRingSide outbound;   // own buffers to the peer
    ShmRingSide inbound;    // buffers from the peer
    ShmRingSide give_back;  // the peer's buffers, returned
    ShmRingSide returned;   // own buffers, returned by the peer
  };

  const ShmLayout layout_;
  const std::vector<void*> segments_;
  const size_t me_;
  std::vector<Peer> peers_;  // by index in the locale; this core's entry is unused
  size_t next_inbound_ = 0;
  size_t next_returned_ = 0;
};

}  // namespace detail
}  // namespace Grappa
