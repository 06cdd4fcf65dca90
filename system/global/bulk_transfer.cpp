#include "system/global/bulk_transfer.hpp"

#include "system/base/check.hpp"
#include "system/global/address.hpp"
#include "system/global/live_allocations.hpp"
#include "system/global/piece_copy.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/spawn.hpp"

#include <algorithm>
#include <vector>

namespace Grappa::detail {
namespace {

Counter bytes_moved("global.bulk_bytes", "bytes", "copied by bulk transfers, remote or local");
Counter strips("global.bulk_messages", "messages", "with payload bytes of bulk transfers");

/// The largest answer that an owner sends in the handler of a request, without waiting for a
/// buffer. 4 KiB is about the size of some hundred delegate answers.
constexpr uint64_t kShortAnswerBytes = 4 * KiB;

/// The number of bytes copied between two polls of the network, in about ten microseconds.
constexpr uint64_t kSliceBytes = 64 * KiB;

/// Puts of at least this many bytes per locale use streaming stores, which bypass the caches: the
/// caches cannot keep so many bytes until they are read. In bench/memcpy, streaming stores raised
/// the rate of a 64 MiB copy to the next core from 0.5 to 0.6 of the rate of memcpy (paired runs).
/// get() writes every other cache line and lost half of its rate, so it uses no streaming stores.
constexpr uint64_t kStreamingBytes = 16 * MiB;

bool exceeds_caches(uint64_t bytes) {
  return bytes / static_cast<uint64_t>(locales()) >= kStreamingBytes;
}

/// The bytes that this core sends to one core, or to itself.
struct Stream {
  Core dest;
  PieceCopy copy;
};

char* heap_address(uint64_t offset) {
  return reinterpret_cast<char*>(kHeapBase + block_cyclic().local_offset(offset));
}

/// The part that `core` owns of the `bytes` bytes from linear offset `begin`, and the position of
/// this part in the plain array that corresponds to the range.
struct OwnedPieces {
  OwnedPieces(Core core, uint64_t begin, uint64_t bytes)
      : part(clip(StridedRange::blocks_of(core), begin, begin + bytes)),
        place(heap_address(part.begin)),
        plain_offset(part.begin - begin) {}

  PieceCopy copy(char* to, uint32_t to_stride, const char* from, uint32_t from_stride,
                 bool streaming) const {
    return PieceCopy{to,
                     from,
                     part.bytes,
                     to_stride,
                     from_stride,
                     kWholePiece,
                     static_cast<uint32_t>(part.first),
                     streaming};
  }

  StridedPart part;
  char* place;            // of the part's first byte, at the owner
  uint64_t plain_offset;  // of the part's first byte in the plain array
};

uint32_t plain_stride() {
  return static_cast<uint32_t>(block_size) * static_cast<uint32_t>(cores());
}

/// The destination layout of the bytes of one message.
struct Landing {
  char* to;
  BulkTransfer* transfer;
  uint32_t stride;
  uint8_t piece;
  uint8_t first;
  bool streaming;

  Landing(const PieceCopy& copy, BulkTransfer* waiting)
      : to(copy.to),
        transfer(waiting),
        stride(copy.to_stride),
        piece(static_cast<uint8_t>(copy.piece)),
        first(static_cast<uint8_t>(copy.first)),
        streaming(copy.streaming) {}

  void land(const void* payload, size_t bytes) const {
    copy_pieces(PieceCopy{to, static_cast<const char*>(payload), bytes, stride, piece, piece, first,
                          streaming});
  }
};

/// A message that carries bytes to their owner, which acknowledges them to the sender.
struct PutStrip : Landing {
  using Landing::Landing;

  void operator()(void* payload, size_t bytes) const {
    land(payload, bytes);
    BulkTransfer* waiting = transfer;
    const auto arrived = [waiting, bytes] { waiting->arrived(bytes); };
    append<Acknowledged::Never, MayWait::Never>(the_sender, nullptr, arrived);
  }
};

/// A message that carries requested bytes to the requesting core.
struct GetStrip : Landing {
  using Landing::Landing;

  void operator()(void* payload, size_t bytes) const {
    land(payload, bytes);
    transfer->arrived(bytes);
  }
};

typedef PayloadMessage<PutStrip, Acknowledged::ByAnswer> PutMessage;
typedef PayloadMessage<GetStrip> GetMessage;
typedef PayloadMessage<GetStrip, Acknowledged::Never, MayWait::Never> ShortGetMessage;

/// Removes one buffer of bytes from the front of `copy`, and gathers them in the message itself.
template <class Message, class Strip>
void send_strip(Core dest, PieceCopy* copy, BulkTransfer* transfer) {
  const PieceCopy strip = cut_front(copy, Message::most_bytes());
  char* place = Message::append(dest, Strip(strip, transfer), strip.bytes);
  PieceCopy gathering = strip;
  gathering.to = place;
  gathering.to_stride = strip.piece;
  copy_pieces(gathering);
  ++strips;
}

void copy_slice(PieceCopy* copy, BulkTransfer* transfer) {
  const PieceCopy slice = cut_front(copy, kSliceBytes);
  copy_pieces(slice);
  // A short copy does not yield: requests made before and after the copy then share a message.
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
      send_strip<PutMessage, PutStrip>(next->dest, &next->copy, transfer);
    }
    if (next->copy.bytes == 0) streams->erase(next);
  }
}

/// A message that requests bytes from their owner.
struct GetRequest {
  PieceCopy copy;
  BulkTransfer* transfer;

  void operator()() const {
    const Core caller = the_sender;
    PieceCopy rest = copy;
    bytes_moved += rest.bytes;
    if (rest.bytes <= kShortAnswerBytes) {
      send_strip<ShortGetMessage, GetStrip>(caller, &rest, transfer);
      return;
    }
    BulkTransfer* waiting = transfer;
    spawn([rest, waiting, caller]() mutable {
      while (rest.bytes != 0) send_strip<GetMessage, GetStrip>(caller, &rest, waiting);
      flush_to(caller, FlushCause::Asked);
    });
  }
};

void ask(Core owner, const PieceCopy& copy, BulkTransfer* transfer) {
  append<Acknowledged::ByAnswer>(owner, nullptr, GetRequest{copy, transfer});
}

/// Adds one stream with the bytes of the source range that are in `comb`. One core owns all
/// destination bytes of the stream.
void add_shifted(std::vector<Stream>* streams, const StridedRange& comb, uint64_t to, uint64_t from,
                 uint64_t bytes) {
  const StridedPart part = clip(comb, from, from + bytes);
  if (part.bytes == 0) return;
  const uint64_t there = part.begin + (to - from);
  const uint32_t row = static_cast<uint32_t>(block_size);
  streams->push_back(Stream{block_cyclic().core(there),
                            PieceCopy{heap_address(there), heap_address(part.begin), part.bytes,
                                      row, row, static_cast<uint32_t>(comb.piece),
                                      static_cast<uint32_t>(part.first), exceeds_caches(bytes)}});
}

}  // namespace

void BulkTransfer::wait() {
  if (done()) return;
  request_appended();
  bytes_to_come_.wait(WaitReason(WaitReason::Kind::Transfer));
}

void put(uint64_t to, const void* from, uint64_t bytes, BulkTransfer* transfer) {
  if (bytes == 0) return;
  check_allocated(to, bytes, "a bulk transfer (memcpy, a cache, a file)");
  const char* const source = static_cast<const char*>(from);
  const auto address = GlobalAddress<char>::from_raw(to);
  const bool streaming = exceeds_caches(bytes);
  std::vector<Stream> streams;
  if (address.is_2D()) {
    streams.push_back(
        Stream{address.core(), plain_copy(address.pointer(), source, bytes, streaming)});
  } else {
    for_each_owner(to, bytes, [&streams, to, source, bytes, streaming](Core owner) {
      const OwnedPieces owned(owner, to, bytes);
      streams.push_back(
          Stream{owner, owned.copy(owned.place, kWholePiece, source + owned.plain_offset,
                                   plain_stride(), streaming)});
    });
  }
  send_streams(&streams, transfer);
}

void get(void* to, uint64_t from, uint64_t bytes, BulkTransfer* transfer) {
  if (bytes == 0) return;
  check_allocated(from, bytes, "a bulk transfer (memcpy, a cache, a file)");
  transfer->expect(bytes);  // before a suspension: other tasks may wait for `transfer` too
  char* const target = static_cast<char*>(to);
  const auto address = GlobalAddress<char>::from_raw(from);
  const auto fetch = [transfer](Core owner, const PieceCopy& copy) {
    if (owner == the_running_core) {
      copy_here(copy, transfer);
    } else {
      ask(owner, copy, transfer);
    }
  };
  if (address.is_2D())
    return fetch(address.core(), plain_copy(target, address.pointer(), bytes, false));
  for_each_owner(from, bytes, [target, from, bytes, &fetch](Core owner) {
    const OwnedPieces owned(owner, from, bytes);
    fetch(owner,
          owned.copy(target + owned.plain_offset, plain_stride(), owned.place, kWholePiece, false));
  });
}

void put_owned(uint64_t to, uint64_t from, uint64_t bytes, BulkTransfer* transfer) {
  if (cores() == 1) {
    transfer->expect(bytes);
    return copy_here(plain_copy(heap_address(to), heap_address(from), bytes, exceeds_caches(bytes)),
                     transfer);
  }
  // Each source block begins `shift` bytes after the beginning of a destination block. This core
  // therefore sends the fronts of its blocks to one core and the last `shift` bytes of its blocks
  // to the next core. Both parts are strided ranges with the period of the blocks.
  const uint64_t shift = (to - from) % block_size;
  const StridedRange blocks = StridedRange::blocks_of(mycore());
  const uint64_t front = blocks.piece - shift;
  std::vector<Stream> streams;
  add_shifted(&streams, StridedRange{blocks.start, blocks.period, front}, to, from, bytes);
  if (shift != 0) {
    add_shifted(&streams, StridedRange{blocks.start + front, blocks.period, shift}, to, from,
                bytes);
  }
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
