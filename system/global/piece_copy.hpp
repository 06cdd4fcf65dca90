#pragma once

/// Copies of bytes that lie in pieces at equal distances.
///
/// What one core keeps of a block-cyclic array is contiguous in its memory, but lies in blocks,
/// one in each row, wherever the array is laid out otherwise: in a plain array, or in a global one
/// whose blocks begin elsewhere. Such bytes are the teeth of a comb. So whatever goes from one core
/// to another is one PieceCopy, and no list of blocks.
///
///     from:  .. tooth ......... tooth ......... tooth ......    from_stride apart
///     to:    .. tooth ... tooth ... tooth ...                   to_stride apart
///
/// The first tooth may lack bytes at its front, and the last one at its end. Plain memory is the
/// comb whose teeth touch.

#include "system/global/block_cyclic.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

/// The longest tooth, and that of plain memory.
constexpr uint32_t kWholePiece = static_cast<uint32_t>(block_size);

struct PieceCopy {
  char* to;
  const char* from;
  uint64_t bytes;
  uint32_t to_stride;    // from the beginning of a whole tooth to the next
  uint32_t from_stride;  // the same; both are at least `piece`
  uint32_t piece;        // bytes of a whole tooth, 1 to kWholePiece
  uint32_t first;        // bytes of the first one, 1 to piece; there may be fewer in all
  bool streaming;        // written around the cache where that is possible
};

/// Plain memory at both ends.
PieceCopy plain_copy(void* to, const void* from, uint64_t bytes, bool streaming);

/// Copies all of it. The two ends do not overlap, unless they are the same.
///
/// A streaming copy writes with stores that neither fetch the old line nor leave the new one in the
/// cache: right if there is so much to copy that nobody finds the bytes in a cache afterwards. What
/// another core is sent after it finds the bytes written.
void copy_pieces(const PieceCopy& copy);

/// Cuts what fits into `most_bytes`, at least kWholePiece, off the front and returns it: whole
/// teeth, and what the first one has. `copy` keeps the rest.
PieceCopy cut_front(PieceCopy* copy, uint64_t most_bytes);

/// All bytes from start + k * period to start + k * period + piece, for k = 0, 1, 2 ...
struct Comb {
  uint64_t start;
  uint64_t period;
  uint64_t piece;

  /// The blocks of the global heap that `core` owns, by linear offset.
  static Comb blocks_of(Core core);

  /// The bytes that lie below `end`.
  uint64_t bytes_below(uint64_t end) const;
};

/// What a range has of a comb.
struct CombPart {
  uint64_t begin;  // of the first byte
  uint64_t bytes;
  uint64_t first;  // of the first tooth
};
CombPart clip(const Comb& comb, uint64_t begin, uint64_t end);

}  // namespace detail
}  // namespace Grappa
