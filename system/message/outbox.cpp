#include "system/message/outbox.hpp"

#include "system/base/bits.hpp"
#include "system/base/check.hpp"
#include "system/message/options.hpp"
#include "system/observe/counters.hpp"

#include <algorithm>

namespace Grappa {
namespace {

Counter messages("message.messages", "messages", "sent, those to this core itself included");
Counter runs("message.runs", "runs", "sent; messages / runs is how well equal closures gather");

}  // namespace

void Outbox::open_buffer(Buffer* buffer, size_t payload_bytes, uint64_t now_ticks) {
  GRAPPA_DCHECK(buffer_ == nullptr);
  buffer_ = buffer;
  tail_ = buffer->runs();
  end_ = tail_ + payload_bytes;
  opened_ticks_ = now_ticks;
}

/// Bytes of a chunk that holds at least `needed_bytes`, cut to what the buffer has left; 0 if it
/// has less. The next chunk of this type is twice as large.
uint32_t Outbox::chunk_for(OpenRun* run, size_t needed_bytes) const {
  const size_t needed = align_up(needed_bytes, kRunAlignment);
  const size_t left = static_cast<size_t>(end_ - tail_);
  if (needed > left) return 0;
  const size_t wanted = std::max<size_t>(run->next_chunk_bytes, needed);
  run->next_chunk_bytes =
      static_cast<uint32_t>(std::min<size_t>(2 * run->next_chunk_bytes, kRunChunkBytes));
  return static_cast<uint32_t>(std::min(wanted, left));
}

bool Outbox::make_room(const RunType& type, uint64_t scope) {
  OpenRun& run = runs_[type.closure_type];
  if (run.header != nullptr) {
    if (run.scope == scope && run.limit == tail_) {
      const size_t needed = type.stride_bytes - run.room();
      const uint32_t chunk = chunk_for(&run, needed);
      if (chunk == 0) return false;
      tail_ += chunk;
      run.limit = tail_;
      return true;
    }
    close_run(&run);
  } else if (run.next_chunk_bytes == 0) {
    run.next_chunk_bytes = kFirstRunChunkBytes;
    open_.push_back(type.closure_type);
  }
  const uint32_t chunk = chunk_for(&run, sizeof(RunHeader) + type.stride_bytes);
  if (chunk == 0) return false;
  run.header = reinterpret_cast<RunHeader*>(tail_);
  run.header->handler = type.handler;
  run.header->scope = scope;
  run.header->stride_bytes = type.stride_bytes;
  run.header->acknowledged = type.acknowledged;
  run.scope = scope;
  run.cursor = run.header->payloads();
  tail_ += chunk;
  run.limit = tail_;
  return true;
}

void Outbox::close_run(OpenRun* run) {
  RunHeader* header = run->header;
  header->count = static_cast<uint32_t>(run->cursor - header->payloads()) / header->stride_bytes;
  char* begin = reinterpret_cast<char*>(header);
  if (run->limit == tail_) {  // last in the buffer: what it does not need is free again
    tail_ = begin + align_up(static_cast<size_t>(run->cursor - begin), kRunAlignment);
    run->limit = tail_;
  }
  header->span_bytes = static_cast<uint32_t>(run->limit - begin);
  messages += header->count;
  ++runs;
  run->header = nullptr;
  run->cursor = run->limit = nullptr;
}

Buffer* Outbox::close_buffer() {
  for (const uint32_t closure_type : open_) {
    OpenRun& run = runs_[closure_type];
    if (run.header != nullptr) close_run(&run);
    run.next_chunk_bytes = 0;
  }
  open_.clear();
  Buffer* buffer = buffer_;
  buffer->used_bytes = static_cast<uint32_t>(tail_ - buffer->runs());
  buffer_ = nullptr;
  return buffer;
}

}  // namespace Grappa
