#pragma once

/// Many bytes between this core's memory and global memory, and waiting until they are there.
///
/// put() sends bytes to their owners, get() asks the owners for bytes. What goes to one owner is
/// one stream of messages, each a bufferful, whatever blocks the bytes lie in: the sender gathers
/// them straight into the message buffer, and the receiver spreads them out from there. Any number
/// of puts and gets may be under way for one BulkTransfer, which counts bytes: get() expects what
/// comes, put() what its owners say they have. No scope knows of them; who starts a transfer waits
/// for it.
///
/// Gets take one round trip however many are started together: requests to one owner share a
/// buffer, which leaves when the task waits. An owner answers a short one from the handler, like a
/// delegate, and starts a task for a long one, which waits for buffers like any other sender.

#include "system/base/ids.hpp"
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

/// Writes `bytes` bytes from `from` on this core to the global address with bits `to`. `from` has
/// been read when the call returns; `transfer` is done when all have been written. What this core
/// owns is written at once. From: task or handler. Suspends: in a task, while no message buffer is
/// free. Messages: 2 for each other owner; for more than a bufferful 2 for each bufferful.
void put(uint64_t to, const void* from, uint64_t bytes, BulkTransfer* transfer);

/// Reads `bytes` bytes from the global address with bits `from` to `to` on this core, until
/// `transfer` is done. From: task or handler. Suspends: in a task, while no message buffer is free.
/// Messages: 2 for each other owner; for more than a bufferful one more for each.
void get(void* to, uint64_t from, uint64_t bytes, BulkTransfer* transfer);

/// Of two linear ranges: copies what this core owns of the source. From: task. Suspends and
/// messages: as put().
void put_owned(uint64_t to, uint64_t from, uint64_t bytes, BulkTransfer* transfer);

}  // namespace detail
}  // namespace Grappa
