#pragma once

/// Bulk copies between this core's memory and global memory (docs/design.md, Global memory). Gets
/// that are started together take one round trip, because requests to one owner share a buffer. The
/// buffer is flushed when the task waits.

#include "system/global/address.hpp"
#include "system/sync/completion_event.hpp"

#include <cstdint>

namespace Grappa { namespace detail {

/// Counts pending bytes: bytes that must arrive for get(), and bytes that owners must acknowledge
/// for put(). Any number of puts and gets may be pending. A transfer belongs to no scope, so the
/// task that starts a transfer must wait for it.
class BulkTransfer {
 public:
  /// From: task or handler. Suspends: until no bytes are pending.
  void wait();

  void expect(uint64_t bytes) { bytes_to_come_.enroll(static_cast<int64_t>(bytes)); }
  void arrived(uint64_t bytes) { bytes_to_come_.complete(static_cast<int64_t>(bytes)); }

 private:
  CompletionEvent bytes_to_come_;
};

/// Writes `bytes` bytes from `from` on this core to the global address with raw bits `to`. When the
/// call returns, the source has been read, and the bytes that this core owns have been written.
/// From: task or handler. Suspends: in a task, while no message buffer is free. Messages: 2 for
/// each buffer of bytes that another core owns.
void put(uint64_t to, const void* from, uint64_t bytes, BulkTransfer* transfer);

/// Reads `bytes` bytes from the global address with raw bits `from` into `to` on this core. From:
/// as put(). Suspends: as put(). Messages: 1 to each other owner, and 1 for each buffer of bytes.
void get(void* to, uint64_t from, uint64_t bytes, BulkTransfer* transfer);

/// Like put(), but copies this core's bytes of the linear range at `from`. From: task.
void put_owned(uint64_t to, uint64_t from, uint64_t bytes, BulkTransfer* transfer);

constexpr uint32_t kWholePiece = static_cast<uint32_t>(block_size);  // the largest block

/// A copy between two strided ranges. A strided range is a sequence of blocks of equal size at
/// equal distances. A PieceCopy describes all bytes that one core sends to another core.
///
///     from:  .. block ......... block ......... block ......    from_stride apart
///     to:    .. block ... block ... block ...                   to_stride apart
///
/// The first block may lack its first bytes, and the last block may lack its last bytes.
struct PieceCopy {
  char* to;
  const char* from;
  uint64_t bytes;
  uint32_t to_stride;    // bytes between the beginnings of blocks, at least `piece`
  uint32_t from_stride;  // the same for `from`
  uint32_t piece;        // bytes of a whole block, 1 to kWholePiece
  uint32_t first;        // bytes of the first block, 1 to piece; may exceed `bytes`
  bool streaming;        // writes bypass the cache if possible
};

/// Copies all bytes. The two ranges must be identical or must not overlap. A streaming copy is
/// faster if the bytes exceed the caches. The receiver of a later message sees the copied bytes.
void copy_pieces(const PieceCopy& copy);

/// Removes the first block and following whole blocks from the front of `copy` and returns them, at
/// most `most_bytes` bytes. `most_bytes` is at least kWholePiece.
PieceCopy cut_front(PieceCopy* copy, uint64_t most_bytes);

/// The bytes [start + k * period, start + k * period + piece) for k = 0, 1, 2 ...
struct StridedRange {
  uint64_t start;
  uint64_t period;
  uint64_t piece;

  /// The blocks of the global heap that `core` owns, by linear offset.
  static StridedRange blocks_of(Core core);
};

struct StridedPart {
  uint64_t begin;  // offset of the first byte
  uint64_t bytes;
  uint32_t first;  // bytes of the first block
};
/// The intersection of a strided range and the contiguous range [begin, end).
StridedPart clip(const StridedRange& comb, uint64_t begin, uint64_t end);

}}  // namespace Grappa::detail
