#include "system/global/bulk_transfer.hpp"

#include "system/base/check.hpp"
#include "system/global/address.hpp"
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

constexpr char kOperation[] = "a bulk transfer (memcpy, a cache, a file)";  // in checked mode

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

/// The bytes of one core in a range of global memory, and their copy in a plain array of this core.
struct Part {
  Core owner;
  char* place;  // of the first byte, at the owner
  char* plain;  // of the first byte, in the plain array
  uint64_t bytes;
  uint32_t plain_stride;  // between blocks in the plain array; at the owner, blocks are adjacent
  uint32_t first;         // bytes of the first block
};

/// Calls visit(part) for each core that owns some of the `bytes` bytes from the global address with
/// bits `global`. The plain array begins at `array`.
template <class Visit>
void for_each_part(uint64_t global, char* array, uint64_t bytes, Visit visit) {
  const auto address = GlobalAddress<char>::from_raw(global);
  if (address.is_2D())
    return visit(Part{address.core(), address.pointer(), array, bytes, kWholePiece, kWholePiece});
  const uint32_t stride = kWholePiece * static_cast<uint32_t>(cores());
  for_each_owner(global, bytes, [&](Core owner) {
    const StridedPart part = clip(StridedRange::blocks_of(owner), global, global + bytes);
    visit(Part{owner, heap_address(part.begin), array + (part.begin - global), part.bytes, stride,
               static_cast<uint32_t>(part.first)});
  });
}

/// A message with bytes and their destination layout. The receiver stores them in global memory and
/// acknowledges them to the sender (Put), or stores them in the memory of the requesting core.
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
    BulkTransfer* const waiting = transfer;
    const auto arrived = [waiting, bytes] { waiting->arrived(bytes); };
    if constexpr (Put) {
      append<Acknowledged::Never, MayWait::Never>(the_sender, nullptr, arrived);
    } else {
      arrived();
    }
  }
};

/// Removes one buffer of bytes from the front of `copy`, and gathers them in the message itself.
template <bool Put, Acknowledged A, MayWait W = MayWait::InTasks>
void send_strip(Core dest, PieceCopy* copy, BulkTransfer* transfer) {
  typedef PayloadMessage<Strip<Put>, A, W> Message;
  PieceCopy strip = cut_front(copy, Message::most_bytes());
  const Strip<Put> header = {strip.to,
                             transfer,
                             strip.to_stride,
                             static_cast<uint8_t>(strip.piece),
                             static_cast<uint8_t>(strip.first),
                             strip.streaming};
  strip.to = Message::append(dest, header, strip.bytes);
  strip.to_stride = strip.piece;
  copy_pieces(strip);
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
      send_strip<true, Acknowledged::ByAnswer>(next->dest, &next->copy, transfer);
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
    bytes_moved += copy.bytes;
    const auto send_all = [rest = copy, waiting = transfer, caller]() mutable {
      while (rest.bytes != 0) send_strip<false, Acknowledged::Never>(caller, &rest, waiting);
      flush_to(caller, FlushCause::Asked);
    };
    if (copy.bytes > kShortAnswerBytes) return spawn(send_all);
    PieceCopy rest = copy;
    send_strip<false, Acknowledged::Never, MayWait::Never>(caller, &rest, transfer);
  }
};

/// Adds one stream with the bytes of the source range that are in `comb`. One core owns all
/// destination bytes of the stream.
void add_shifted(std::vector<Stream>* streams, const StridedRange& comb, uint64_t to, uint64_t from,
                 uint64_t bytes) {
  const StridedPart part = clip(comb, from, from + bytes);
  if (part.bytes == 0) return;
  const uint64_t there = part.begin + (to - from);
  streams->push_back(Stream{block_cyclic().core(there),
                            PieceCopy{heap_address(there), heap_address(part.begin), part.bytes,
                                      kWholePiece, kWholePiece, static_cast<uint32_t>(comb.piece),
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
  check_allocated(to, bytes, kOperation);
  std::vector<Stream> streams;
  // The copies only read the plain array.
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
  transfer->expect(bytes);  // before a suspension: other tasks may wait for `transfer` too
  for_each_part(from, static_cast<char*>(to), bytes, [transfer](const Part& part) {
    const PieceCopy copy = {part.plain,  part.place,  part.bytes, part.plain_stride,
                            kWholePiece, kWholePiece, part.first, false};
    if (part.owner == the_running_core) return copy_here(copy, transfer);
    append<Acknowledged::ByAnswer>(part.owner, nullptr, GetRequest{copy, transfer});
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
