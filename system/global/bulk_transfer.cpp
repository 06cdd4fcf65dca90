#include "system/global/bulk_transfer.hpp"

#include "system/base/check.hpp"
#include "system/global/address.hpp"
#include "system/global/live_allocations.hpp"
#include "system/global/owners.hpp"
#include "system/global/piece_copy.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <vector>

namespace Grappa {
namespace detail {
namespace {

Counter bytes_moved("global.bulk_bytes", "bytes", "moved in bulk, from core to core or within one");
Counter strips("global.bulk_messages", "messages", "that bytes moved in bulk travelled in");

/// What an owner sends from the handler of a request, without waiting for a buffer: as much as some
/// hundred answers of delegates.
constexpr uint64_t kShortAnswerBytes = 4 * KiB;

/// Copied between two looks at the network: some ten microseconds.
constexpr uint64_t kSliceBytes = 64 * KiB;

/// What is written in one piece at its owner is written around the caches from so many bytes a
/// locale on: they could not keep it until somebody reads it. In pairs of runs of bench/memcpy that
/// raised what 64 MiB to the next core reach from 0.5 to 0.6 times the rate of memcpy. A get, which
/// writes every other line, lost half of its rate by it: it does not use them.
constexpr uint64_t kStreamingBytes = 16 * MiB;

bool exceeds_caches(uint64_t bytes) {
  return bytes / static_cast<uint64_t>(locales()) >= kStreamingBytes;
}

/// What goes from this core to one core, itself perhaps.
struct Stream {
  Core dest;
  PieceCopy copy;
};

char* heap_place(uint64_t offset) {
  return reinterpret_cast<char*>(kHeapBase + block_cyclic().local_offset(offset));
}

/// What `core` owns of `bytes` bytes from linear offset `begin` on, beside plain memory that
/// corresponds to all of them.
struct OwnedPieces {
  OwnedPieces(Core core, uint64_t begin, uint64_t bytes)
      : part(clip(Comb::blocks_of(core), begin, begin + bytes)),
        place(heap_place(part.begin)),
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

  CombPart part;
  char* place;            // of its first byte, at the owner
  uint64_t plain_offset;  // of the same in the plain memory
};

uint32_t plain_stride() {
  return static_cast<uint32_t>(block_size) * static_cast<uint32_t>(cores());
}

/// How the bytes of one message are spread out where they arrive.
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

/// Bytes for their owner, which tells the sender that it has them.
struct PutStrip : Landing {
  using Landing::Landing;

  void operator()(void* payload, size_t bytes) const {
    land(payload, bytes);
    BulkTransfer* waiting = transfer;
    const auto arrived = [waiting, bytes] { waiting->arrived(bytes); };
    aggregator().append<Acknowledged::Never, MayWait::Never>(aggregator().inbox().source(), nullptr,
                                                             arrived);
  }
};

/// Bytes for who has asked for them.
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

/// Sends a bufferful off the front of `copy`, gathered in the buffer itself.
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
  // Not after a short copy: what has been asked for before it is to leave with what comes behind.
  if (copy->bytes != 0) scheduler().yield_if_due();
  transfer->arrived(slice.bytes);
}

void copy_here(PieceCopy copy, BulkTransfer* transfer) {
  bytes_moved += copy.bytes;
  while (copy.bytes != 0) copy_slice(&copy, transfer);
}

/// Sends all streams, a strip of one after a strip of another. Always the one whose source is
/// furthest behind is next, so that what they share of a cache line, or of a page, is read once.
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

/// Asks an owner for bytes.
struct GetRequest {
  PieceCopy copy;
  BulkTransfer* transfer;

  void operator()() const {
    const Core caller = aggregator().inbox().source();
    PieceCopy rest = copy;
    bytes_moved += rest.bytes;
    if (rest.bytes <= kShortAnswerBytes) {
      send_strip<ShortGetMessage, GetStrip>(caller, &rest, transfer);
      return;
    }
    BulkTransfer* waiting = transfer;
    spawn([rest, waiting, caller]() mutable {
      while (rest.bytes != 0) send_strip<GetMessage, GetStrip>(caller, &rest, waiting);
      aggregator().flush(caller, FlushCause::Asked);
    });
  }
};

void ask(Core owner, const PieceCopy& copy, BulkTransfer* transfer) {
  aggregator().append<Acknowledged::ByAnswer>(owner, nullptr, GetRequest{copy, transfer});
}

/// One stream in which all of a part goes, to the core that owns its first byte behind the shift.
void add_shifted(std::vector<Stream>* streams, const Comb& comb, uint64_t to, uint64_t from,
                 uint64_t bytes) {
  const CombPart part = clip(comb, from, from + bytes);
  if (part.bytes == 0) return;
  const uint64_t there = part.begin + (to - from);
  const uint32_t row = static_cast<uint32_t>(block_size);
  streams->push_back(Stream{block_cyclic().core(there),
                            PieceCopy{heap_place(there), heap_place(part.begin), part.bytes, row,
                                      row, static_cast<uint32_t>(comb.piece),
                                      static_cast<uint32_t>(part.first), exceeds_caches(bytes)}});
}

}  // namespace

void BulkTransfer::wait() {
  if (done()) return;
  aggregator().request_appended();
  Scheduler::Waiting wait(scheduler(), Scheduler::WaitFor::Others);
  bytes_to_come_.wait();
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
  transfer->expect(bytes);  // before anything can suspend: others may wait for it too
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
    return copy_here(plain_copy(heap_place(to), heap_place(from), bytes, exceeds_caches(bytes)),
                     transfer);
  }
  // Blocks of the one range begin `shift` bytes into blocks of the other. So all that goes to the
  // front of a block comes from the ends of blocks of one core, and all that goes to the rest from
  // their fronts, of the core before it; and both lie as regularly as the blocks themselves.
  const uint64_t shift = (to - from) % block_size;
  const Comb blocks = Comb::blocks_of(mycore());
  const uint64_t front = blocks.piece - shift;
  std::vector<Stream> streams;
  add_shifted(&streams, Comb{blocks.start, blocks.period, front}, to, from, bytes);
  if (shift != 0) {
    add_shifted(&streams, Comb{blocks.start + front, blocks.period, shift}, to, from, bytes);
  }
  send_streams(&streams, transfer);
}

}  // namespace detail
}  // namespace Grappa
