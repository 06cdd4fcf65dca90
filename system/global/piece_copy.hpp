#pragma once

/// Copies between strided ranges: blocks of equal size at equal distances.
///
/// One core's part of a block-cyclic array is contiguous in its memory. In a plain array, or in a
/// global array with other block boundaries, the same bytes form a strided range. A single
/// PieceCopy therefore describes all bytes that one core sends to another core.
///
///     from:  .. block ......... block ......... block ......    from_stride apart
///     to:    .. block ... block ... block ...                   to_stride apart
///
/// The first block may lack bytes at its front, and the last block at its end. In plain memory, the
/// blocks are adjacent.

#include "system/global/block_cyclic.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

/// The size of the largest block, and the block size of plain memory.
constexpr uint32_t kWholePiece = static_cast<uint32_t>(block_size);

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

/// A copy between two plain ranges.
PieceCopy plain_copy(void* to, const void* from, uint64_t bytes, bool streaming);

/// Copies all bytes. The two ranges must be identical or must not overlap.
///
/// A streaming copy uses stores that neither fetch the old cache line nor leave the new line in the
/// cache, which is faster for copies that exceed the caches. The receiver of a later message from
/// this core sees the copied bytes.
void copy_pieces(const PieceCopy& copy);

/// Removes at most `most_bytes` from the front of `copy` and returns them: the first block and
/// following whole blocks. `most_bytes` is at least kWholePiece.
PieceCopy cut_front(PieceCopy* copy, uint64_t most_bytes);

/// The bytes [start + k * period, start + k * period + piece) for k = 0, 1, 2 ...
struct StridedRange {
  uint64_t start;
  uint64_t period;
  uint64_t piece;

  /// The blocks of the global heap that `core` owns, by linear offset.
  static StridedRange blocks_of(Core core);

  /// The number of bytes below `end`.
  uint64_t bytes_below(uint64_t end) const;
};

/// The intersection of a contiguous range and a strided range.
struct StridedPart {
  uint64_t begin;  // offset of the first byte
  uint64_t bytes;
  uint64_t first;  // bytes of the first block
};
StridedPart clip(const StridedRange& comb, uint64_t begin, uint64_t end);

}  // namespace detail
}  // namespace Grappa
