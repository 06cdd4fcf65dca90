#pragma once

/// Bulk copies between this core's memory and global memory.
///
/// put() sends bytes to their owners; get() requests bytes from their owners. The bytes of one
/// owner form one stream of messages that fill one buffer each. The sender gathers the bytes
/// directly in the message buffer, and the receiver scatters them from there. Any number of puts
/// and gets may be pending for one BulkTransfer, which counts the bytes that arrive for get() and
/// the bytes that owners acknowledge for put(). A transfer belongs to no scope, so the task that
/// starts a transfer must wait for it.
///
/// Gets that are started together take one round trip: requests to one owner share a buffer, which
/// is flushed when the task waits. An owner answers a short request in the handler. For a long
/// request the owner starts a task, which waits for buffers like any other sender.

#include "system/global/block_cyclic.hpp"
#include "system/net/topology.hpp"
#include "system/sync/completion_event.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class BulkTransfer {
 public:
  bool done() const { return bytes_to_come_.get_count() == 0; }

  /// From: task or handler. Suspends: until done.
  void wait();

  void expect(uint64_t bytes) { bytes_to_come_.enroll(static_cast<int64_t>(bytes)); }
  void arrived(uint64_t bytes) { bytes_to_come_.complete(static_cast<int64_t>(bytes)); }

 private:
  CompletionEvent bytes_to_come_;
};

/// Writes `bytes` bytes from `from` on this core to the global address with bits `to`. Before the
/// call returns, the source is read and the bytes that this core owns are written. `transfer` is
/// done when all bytes are written. From: task or handler. Suspends: in a task, while no message
/// buffer is free. Messages: for each other owner, 2 for each buffer of bytes.
void put(uint64_t to, const void* from, uint64_t bytes, BulkTransfer* transfer);

/// Reads `bytes` bytes from the global address with bits `from` to `to` on this core. The bytes
/// have arrived when `transfer` is done. From: task or handler. Suspends: in a task, while no
/// message buffer is free. Messages: for each other owner, 1 request and 1 for each buffer of
/// bytes.
void get(void* to, uint64_t from, uint64_t bytes, BulkTransfer* transfer);

/// Copies from one linear range to another, but only the source bytes that this core owns.
/// From: task. Suspends and messages: as put().
void put_owned(uint64_t to, uint64_t from, uint64_t bytes, BulkTransfer* transfer);

/// Calls visit(core) for each core that owns some of the `bytes` bytes from linear offset `begin`.
/// The order begins with the core after this core, because otherwise all cores would send their
/// first message to core 0. This core is the last.
template <class Visit>
void for_each_owner(uint64_t begin, uint64_t bytes, Visit visit) {
  const int all = cores();
  const int owners = block_cyclic().owners(begin, bytes);
  const int first = block_cyclic().core(begin);
  const int behind_me = (mycore() + 1 - first + all) % all;
  for (int k = 0; k < owners; ++k) {
    const int owner = (behind_me < owners ? behind_me + k : k) % owners;
    visit(static_cast<Core>((first + owner) % all));
  }
}

}  // namespace detail
}  // namespace Grappa
