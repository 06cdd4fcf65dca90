#include "system/global/piece_copy.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace Grappa::detail {
namespace {

/// Copies whole blocks of N bytes. A constant length compiles to a few moves; a call of memcpy for
/// each block would cost more than the copy.
template <size_t N>
void copy_teeth(char* to, size_t to_stride, const char* from, size_t from_stride, uint64_t teeth) {
  for (; teeth != 0; --teeth) {
    std::memcpy(to, from, N);
    to += to_stride;
    from += from_stride;
  }
}

typedef void (*CopyTeeth)(char*, size_t, const char*, size_t, uint64_t);

template <size_t... N>
constexpr std::array<CopyTeeth, sizeof...(N)> all_lengths(std::index_sequence<N...>) {
  return {{&copy_teeth<N + 1>...}};
}

constexpr auto kCopyTeeth = all_lengths(std::make_index_sequence<kWholePiece>());

#ifdef __SSE2__

constexpr size_t kStoreBytes = sizeof(__m128i);

/// Copies whole blocks of kWholePiece bytes to addresses that are multiples of kStoreBytes. Ends
/// with a fence, because streaming stores are not ordered before the stores that publish a message.
void stream_teeth(char* to, size_t to_stride, const char* from, size_t from_stride,
                  uint64_t teeth) {
  for (; teeth != 0; --teeth) {
    for (size_t at = 0; at < kWholePiece; at += kStoreBytes) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at));
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + at), bytes);
    }
    to += to_stride;
    from += from_stride;
  }
  _mm_sfence();
}

bool can_stream(const PieceCopy& copy) {
  const uintptr_t whole_block = reinterpret_cast<uintptr_t>(copy.to) + copy.first - copy.piece;
  return copy.streaming && copy.piece == kWholePiece && whole_block % kStoreBytes == 0 &&
         copy.to_stride % kStoreBytes == 0;
}

#else

constexpr CopyTeeth stream_teeth = nullptr;
bool can_stream(const PieceCopy&) { return false; }

#endif

bool is_plain(const PieceCopy& copy) {
  return copy.to_stride == copy.piece && copy.from_stride == copy.piece;
}

/// Advances by `bytes`, which must end at a block boundary or at the end of the copy.
void advance(PieceCopy* copy, uint64_t bytes) {
  copy->bytes -= bytes;
  if (copy->bytes == 0) return;
  const uint64_t missing = copy->piece - copy->first;  // bytes of the block before the first byte
  const uint64_t teeth = (bytes + missing) / copy->piece;
  copy->to += teeth * copy->to_stride - missing;
  copy->from += teeth * copy->from_stride - missing;
  copy->first = copy->piece;
}

}  // namespace

PieceCopy plain_copy(void* to, const void* from, uint64_t bytes, bool streaming) {
  return PieceCopy{static_cast<char*>(to),
                   static_cast<const char*>(from),
                   bytes,
                   kWholePiece,
                   kWholePiece,
                   kWholePiece,
                   kWholePiece,
                   streaming};
}

void copy_pieces(const PieceCopy& copy) {
  if (copy.to == copy.from && copy.to_stride == copy.from_stride) return;
  const bool streams = can_stream(copy);
  if ((is_plain(copy) && !streams) || copy.bytes <= copy.first) {
    std::memcpy(copy.to, copy.from, copy.bytes);
    return;
  }
  PieceCopy rest = copy;
  std::memcpy(rest.to, rest.from, rest.first);
  advance(&rest, rest.first);
  const uint64_t teeth = rest.bytes / rest.piece;
  const CopyTeeth copy_teeth = streams ? stream_teeth : kCopyTeeth[rest.piece - 1];
  copy_teeth(rest.to, rest.to_stride, rest.from, rest.from_stride, teeth);
  const uint64_t last = rest.bytes % rest.piece;
  if (last == 0) return;
  std::memcpy(rest.to + teeth * rest.to_stride, rest.from + teeth * rest.from_stride, last);
}

PieceCopy cut_front(PieceCopy* copy, uint64_t most_bytes) {
  PieceCopy front = *copy;
  if (front.bytes > most_bytes) {
    front.bytes = copy->first + (most_bytes - copy->first) / copy->piece * copy->piece;
  }
  advance(copy, front.bytes);
  return front;
}

StridedRange StridedRange::blocks_of(Core core) {
  const uint64_t block = static_cast<uint64_t>(block_size);
  return StridedRange{static_cast<uint64_t>(core) * block,
                      static_cast<uint64_t>(block_cyclic().cores()) * block, block};
}

uint64_t StridedRange::bytes_below(uint64_t end) const {
  if (end <= start) return 0;
  const uint64_t teeth = (end - start) / period;
  return teeth * piece + std::min((end - start) % period, piece);
}

StridedPart clip(const StridedRange& comb, uint64_t begin, uint64_t end) {
  StridedPart part = {std::max(begin, comb.start), 0, comb.piece};
  if (begin >= end) return part;
  part.bytes = comb.bytes_below(end) - comb.bytes_below(begin);
  const uint64_t in_period = (part.begin - comb.start) % comb.period;
  if (in_period < comb.piece) {
    part.first = comb.piece - in_period;
  } else {
    part.begin += comb.period - in_period;
  }
  return part;
}

}  // namespace Grappa::detail
