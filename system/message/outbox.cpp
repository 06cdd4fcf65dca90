#include "system/message/aggregator.hpp"

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/units.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/observe/counters.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace Grappa::detail {
namespace {

Counter messages("message.messages", "messages", "sent, including messages to this core itself");
Counter runs("message.runs", "runs", "sent; messages / runs is the average length of a run");

/// The unit in which a scope counts the messages of a run: bytes if their lengths differ.
uint32_t unit_bytes(const RunHeader& header) {
  return header.stride_bytes == 0 ? 1 : header.stride_bytes;
}

/// Capacity of the run's chunk in units, including the messages in the chunk.
int64_t capacity(const OpenRun& run) {
  return static_cast<uint32_t>(run.limit - run.header->payloads()) / unit_bytes(*run.header);
}

bool reserves(const RunHeader& header) {
  return header.scope != 0 && header.acknowledged == Acknowledged::ByRun;
}

}  // namespace

uint64_t the_payload_messages = 0;

void Outbox::open_buffer(Buffer* buffer, size_t payload_bytes, uint64_t now_ticks) {
  GRAPPA_DCHECK(buffer_ == nullptr);
  buffer_ = buffer;
  tail_ = buffer->runs();
  end_ = tail_ + payload_bytes;
  full_ = tail_ +
          (destinations > 1 ? std::min(payload_bytes, full_bytes(destinations)) : payload_bytes);
  prefetched_ = reinterpret_cast<char*>(buffer);
  prefetch(tail_);
  opened_ticks_ = now_ticks;
  latency_critical_ = false;
  mixed_ = false;
}

/// Prefetches the lines below `to`, and at most three more, because groups of four take fewer
/// instructions. The last receiver of the buffer has read these lines, and to fetch them one after
/// another takes longer (bench/delegate).
void Outbox::prefetch(const char* to) {
  for (; prefetched_ < to; prefetched_ += 4 * kCacheLineBytes) {
    GRAPPA_PREFETCH(prefetched_);
    GRAPPA_PREFETCH(prefetched_ + kCacheLineBytes);
    GRAPPA_PREFETCH(prefetched_ + 2 * kCacheLineBytes);
    GRAPPA_PREFETCH(prefetched_ + 3 * kCacheLineBytes);
  }
}

/// Allocates `wanted_bytes` of the buffer, or all remaining bytes if fewer remain. Returns null if
/// the buffer is full, or if fewer than `needed_bytes` remain.
char* Outbox::take(size_t wanted_bytes, size_t needed_bytes) {
  const size_t left = static_cast<size_t>(end_ - tail_);
  if (tail_ >= full_ || align_up(needed_bytes, kRunAlignment) > left) return nullptr;
  char* taken = tail_;
  tail_ += std::min(left, align_up(std::max(wanted_bytes, needed_bytes), kRunAlignment));
  prefetch(std::min(end_, tail_ + kPrefetchedBytes));
  return taken;
}

char* Outbox::append(MessageType& type, Core dest, TaskScope* scope, size_t bytes) {
  OpenRun& run = type.runs[dest];
  const bool same = run.header != nullptr && run.scope == scope;
  if (!same || run.room() < bytes) {
    const bool last = same && run.limit == tail_;
    if (!(last ? grow(&run, bytes) : open(&run, type, dest, scope, bytes))) return nullptr;
  }
  if (type.stride_bytes == 0) ++messages;  // other messages are counted when their run is closed
  char* place = run.cursor;
  run.cursor += bytes;
  return place;
}

/// Extends the run, which must be the last one in the buffer.
bool Outbox::grow(OpenRun* run, size_t bytes) {
  const size_t chunk = static_cast<size_t>(run->limit - reinterpret_cast<char*>(run->header));
  if (take(std::min(chunk, kRunChunkBytes), bytes - run->room()) == nullptr) return false;
  const int64_t before = reserves(*run->header) ? capacity(*run) : 0;
  run->limit = tail_;
  if (reserves(*run->header)) run->scope->enroll(capacity(*run) - before);
  return true;
}

bool Outbox::open(OpenRun* run, const MessageType& type, Core dest, TaskScope* scope,
                  size_t bytes) {
  size_t chunk = kFirstRunChunkBytes;
  if (run->header != nullptr) {
    const size_t last = static_cast<size_t>(run->limit - reinterpret_cast<char*>(run->header));
    chunk = std::min(2 * last, kRunChunkBytes);
    close(run);
  }
  char* place = take(chunk, sizeof(RunHeader) + bytes);
  if (place == nullptr) return false;
  const bool critical = type.latency_critical(dest != receiver);
  run->header =
      new (place) RunHeader{type.handler,      wire_id(scope),    0,       0, mycore(), dest,
                            type.stride_bytes, type.acknowledged, critical};
  run->scope = scope;
  run->cursor = run->header->payloads();
  run->limit = tail_;
  if (reserves(*run->header)) scope->enroll(capacity(*run));
  runs_.push_back(run);
  if (critical) latency_critical_ = true;
  if (dest != receiver) mixed_ = true;
  return true;
}

bool Outbox::append_run(const RunHeader& run) {
  const size_t bytes = sizeof(RunHeader) + run.payload_bytes;
  char* place = take(bytes, bytes);
  if (place == nullptr) return false;
  std::memcpy(place, &run, bytes);
  reinterpret_cast<RunHeader*>(place)->span_bytes = static_cast<uint32_t>(tail_ - place);
  if (run.latency_critical) latency_critical_ = true;
  if (run.dest != receiver) mixed_ = true;
  return true;
}

void Outbox::close(OpenRun* run) {
  RunHeader* header = run->header;
  header->payload_bytes = static_cast<uint32_t>(run->cursor - header->payloads());
  const uint32_t units = header->payload_bytes / unit_bytes(*header);
  if (reserves(*header)) run->scope->complete(capacity(*run) - units);
  messages += header->stride_bytes != 0 ? units : std::exchange(the_payload_messages, 0);
  char* begin = reinterpret_cast<char*>(header);
  if (run->limit == tail_) {  // last in the buffer: the unused part is free again
    run->limit = tail_ = begin + align_up(static_cast<size_t>(run->cursor - begin), kRunAlignment);
  }
  header->span_bytes = static_cast<uint32_t>(run->limit - begin);
  ++runs;
  runs_.erase(std::find(runs_.begin(), runs_.end(), run));
  *run = OpenRun();
}

Buffer* Outbox::close_buffer() {
  while (!runs_.empty()) close(runs_.back());
  Buffer* buffer = buffer_;
  buffer->used_bytes = static_cast<uint32_t>(tail_ - buffer->runs());
  buffer->mixed = mixed_;
  buffer_ = nullptr;
  return buffer;
}

}  // namespace Grappa::detail
