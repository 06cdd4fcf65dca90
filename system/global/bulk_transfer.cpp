#include "system/global/bulk_transfer.hpp"

#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/task.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace Grappa::detail {
namespace {

Counter bytes_moved("global.bulk_bytes", "bytes", "copied by bulk transfers, remote or local");
Counter strips("global.bulk_messages", "messages", "with payload bytes of bulk transfers");

/// The largest answer that a handler sends, as large as some hundred delegate answers.
constexpr uint64_t kShortAnswerBytes = 4 * KiB;

constexpr uint64_t kSliceBytes = 64 * KiB;  // copied between two network polls, in about 10 us

/// Puts of at least this many bytes per locale use streaming stores, because the caches cannot keep
/// so many bytes until they are read. In bench/memcpy, streaming stores raised the rate of a 64 MiB
/// copy to the next core from 0.5 to 0.6 of the rate of memcpy. They halved the rate of get(), so
/// get() does not use them.
constexpr uint64_t kStreamingBytes = 16 * MiB;

constexpr char kOperation[] = "a bulk transfer (memcpy, a cache, a file)";  // in checked mode

bool exceeds_caches(uint64_t bytes) {
  return bytes / static_cast<uint64_t>(locales()) >= kStreamingBytes;
}

/// Copies whole blocks of N bytes. A constant length compiles to a few moves instead of a call.
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

/// Copies whole blocks of kWholePiece bytes to addresses that are multiples of kStoreBytes.
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
  _mm_sfence();  // streaming stores are not ordered before the stores that publish a message
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

/// The number of bytes of a strided range below `end`.
uint64_t bytes_below(const StridedRange& comb, uint64_t end) {
  if (end <= comb.start) return 0;
  const uint64_t teeth = (end - comb.start) / comb.period;
  return teeth * comb.piece + std::min((end - comb.start) % comb.period, comb.piece);
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

/// The bytes that this core sends to one core, or to itself.
struct Stream {
  Core dest;
  PieceCopy copy;
};

char* heap_address(uint64_t offset) {
  return reinterpret_cast<char*>(kHeapBase + block_cyclic().local_offset(offset));
}

/// The bytes of one core in a range of global memory, and their copy in a plain array of this core.
struct Part {
  Core owner;
  char* place;  // address of the first byte at the owner
  char* plain;  // address of the first byte in the plain array
  uint64_t bytes;
  uint32_t plain_stride;  // between blocks in the plain array; at the owner, blocks are adjacent
  uint32_t first;         // bytes of the first block
};

/// Calls visit(part) for each core that owns some of the `bytes` bytes that begin at the global
/// address with raw bits `global`. The plain array begins at `array`. The first call is for the
/// core after this core, because otherwise all cores would send their first message to core 0.
template <class Visit>
void for_each_part(uint64_t global, char* array, uint64_t bytes, Visit visit) {
  const auto address = GlobalAddress<char>::from_raw(global);
  if (address.is_2D())
    return visit(Part{address.core(), address.pointer(), array, bytes, kWholePiece, kWholePiece});
  const int all = cores();
  const int owners = block_cyclic().owners(global, bytes);
  const int first = address.core();
  const int behind_me = (mycore() + 1 - first + all) % all;
  for (int k = 0; k < owners; ++k) {
    const int turn = (behind_me < owners ? behind_me + k : k) % owners;
    const Core owner = static_cast<Core>((first + turn) % all);
    const StridedPart part = clip(StridedRange::blocks_of(owner), global, global + bytes);
    visit(Part{owner, heap_address(part.begin), array + (part.begin - global), part.bytes,
               kWholePiece * static_cast<uint32_t>(all), part.first});
  }
}

/// A message with bytes and their destination layout. If Put is true, the receiver stores the bytes
/// in global memory and acknowledges them to the sender. Otherwise the receiver has requested the
/// bytes and stores them in its own memory.
template <bool Put>
struct Strip {
  char* to;
  BulkTransfer* transfer;
  uint32_t stride;
  uint8_t piece;
  uint8_t first;
  bool streaming;

  void operator()(void* payload, size_t bytes) const {
    copy_pieces(PieceCopy{to, static_cast<const char*>(payload), bytes, stride, piece, piece, first,
                          streaming});
    const auto arrived = [waiting = transfer, bytes] { waiting->arrived(bytes); };
    if constexpr (Put) {
      return append<Acknowledged::Never, MayWait::Never>(the_sender, nullptr, arrived);
    }
    arrived();
  }
};

/// Removes one buffer of bytes from the front of `copy`, and gathers the bytes in the message.
template <bool Put, Acknowledged A, MayWait W = MayWait::InTasks>
void send_strip(Core dest, PieceCopy* copy, BulkTransfer* transfer) {
  typedef PayloadMessage<Strip<Put>, A, W> Message;
  PieceCopy strip = cut_front(copy, Message::most_bytes());
  const auto piece = static_cast<uint8_t>(strip.piece);
  const auto first = static_cast<uint8_t>(strip.first);
  const Strip<Put> header = {strip.to, transfer, strip.to_stride, piece, first, strip.streaming};
  strip.to = Message::append(dest, header, strip.bytes);
  strip.to_stride = strip.piece;
  copy_pieces(strip);
  ++strips;
}

void copy_slice(PieceCopy* copy, BulkTransfer* transfer) {
  const PieceCopy slice = cut_front(copy, kSliceBytes);
  copy_pieces(slice);
  // A short copy does not yield, so requests before and after the copy share a message.
  if (copy->bytes != 0) scheduler().yield_if_due();
  transfer->arrived(slice.bytes);
}

void copy_here(PieceCopy copy, BulkTransfer* transfer) {
  bytes_moved += copy.bytes;
  while (copy.bytes != 0) copy_slice(&copy, transfer);
}

/// Sends the strips of all streams interleaved. The stream with the lowest source address is always
/// next, so a cache line or page that several streams share is read once.
void send_streams(std::vector<Stream>* streams, BulkTransfer* transfer) {
  for (const Stream& stream : *streams) {
    bytes_moved += stream.copy.bytes;
    transfer->expect(stream.copy.bytes);
  }
  const auto behind = [](const Stream& a, const Stream& b) { return a.copy.from < b.copy.from; };
  while (!streams->empty()) {
    const auto next = std::min_element(streams->begin(), streams->end(), behind);
    if (next->dest == the_running_core) {
      copy_slice(&next->copy, transfer);
    } else {
      send_strip<true, Acknowledged::ByAnswer>(next->dest, &next->copy, transfer);
    }
    if (next->copy.bytes == 0) streams->erase(next);
  }
}

/// Sends the requested bytes. From: the handler of the request.
void answer(PieceCopy copy, BulkTransfer* transfer) {
  const Core caller = the_sender;
  bytes_moved += copy.bytes;
  if (copy.bytes <= kShortAnswerBytes) {
    return send_strip<false, Acknowledged::Never, MayWait::Never>(caller, &copy, transfer);
  }
  spawn([copy, transfer, caller]() mutable {
    while (copy.bytes != 0) send_strip<false, Acknowledged::Never>(caller, &copy, transfer);
    flush_to(caller, FlushCause::Asked);
  });
}

}  // namespace

void copy_pieces(const PieceCopy& copy) {
  if (copy.to == copy.from && copy.to_stride == copy.from_stride) return;
  const bool streams = can_stream(copy);
  const bool is_plain = copy.to_stride == copy.piece && copy.from_stride == copy.piece;
  if ((is_plain && !streams) || copy.bytes <= copy.first) {
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
  return StridedRange{static_cast<uint64_t>(core) * kWholePiece,
                      static_cast<uint64_t>(block_cyclic().cores()) * kWholePiece, kWholePiece};
}

StridedPart clip(const StridedRange& comb, uint64_t begin, uint64_t end) {
  StridedPart part = {std::max(begin, comb.start), 0, static_cast<uint32_t>(comb.piece)};
  if (begin >= end) return part;
  part.bytes = bytes_below(comb, end) - bytes_below(comb, begin);
  const uint64_t in_period = (part.begin - comb.start) % comb.period;
  if (in_period < comb.piece) {
    part.first = static_cast<uint32_t>(comb.piece - in_period);
  } else {
    part.begin += comb.period - in_period;
  }
  return part;
}

void BulkTransfer::wait() {
  if (bytes_to_come_.get_count() == 0) return;
  request_appended();
  bytes_to_come_.wait(WaitReason(WaitReason::Kind::Transfer));
}

void put(uint64_t to, const void* from, uint64_t bytes, BulkTransfer* transfer) {
  if (bytes == 0) return;
  check_allocated(to, bytes, kOperation);
  std::vector<Stream> streams;
  // const_cast is safe, because the copies only read the plain array.
  for_each_part(
      to, const_cast<char*>(static_cast<const char*>(from)), bytes, [&](const Part& part) {
        streams.push_back(Stream{part.owner, PieceCopy{part.place, part.plain, part.bytes,
                                                       kWholePiece, part.plain_stride, kWholePiece,
                                                       part.first, exceeds_caches(bytes)}});
      });
  send_streams(&streams, transfer);
}

void get(void* to, uint64_t from, uint64_t bytes, BulkTransfer* transfer) {
  if (bytes == 0) return;
  check_allocated(from, bytes, kOperation);
  transfer->expect(bytes);  // before a suspension, because other tasks may wait for `transfer`
  for_each_part(from, static_cast<char*>(to), bytes, [transfer](const Part& part) {
    const PieceCopy copy = {part.plain,  part.place,  part.bytes, part.plain_stride,
                            kWholePiece, kWholePiece, part.first, false};
    if (part.owner == the_running_core) return copy_here(copy, transfer);
    append<Acknowledged::ByAnswer>(part.owner, nullptr,
                                   [copy, transfer] { answer(copy, transfer); });
  });
}

void put_owned(uint64_t to, uint64_t from, uint64_t bytes, BulkTransfer* transfer) {
  if (cores() == 1) {
    transfer->expect(bytes);
    return copy_here(PieceCopy{heap_address(to), heap_address(from), bytes, kWholePiece,
                               kWholePiece, kWholePiece, kWholePiece, exceeds_caches(bytes)},
                     transfer);
  }
  // The fronts of this core's blocks go to one core, as one stream, and their last `shift` bytes to
  // the next core, as another stream (docs/design.md, Global memory).
  const uint64_t shift = (to - from) % block_size;
  const StridedRange blocks = StridedRange::blocks_of(mycore());
  std::vector<Stream> streams;
  const auto add_stream = [&](uint64_t start, uint64_t piece) {
    const StridedPart part = clip(StridedRange{start, blocks.period, piece}, from, from + bytes);
    if (part.bytes == 0) return;
    const uint64_t there = part.begin + (to - from);
    streams.push_back(Stream{
        block_cyclic().core(there),
        PieceCopy{heap_address(there), heap_address(part.begin), part.bytes, kWholePiece,
                  kWholePiece, static_cast<uint32_t>(piece), part.first, exceeds_caches(bytes)}});
  };
  const uint64_t front = blocks.piece - shift;
  add_stream(blocks.start, front);
  if (shift != 0) add_stream(blocks.start + front, shift);
  send_streams(&streams, transfer);
}

void read_parts(void* to, uint64_t raw_bits, size_t bytes) {
  BulkTransfer transfer;
  get(to, raw_bits, bytes, &transfer);
  transfer.wait();
}

void write_parts(uint64_t raw_bits, const void* from, size_t bytes) {
  BulkTransfer transfer;
  put(raw_bits, from, bytes, &transfer);
  transfer.wait();
}

}  // namespace Grappa::detail
