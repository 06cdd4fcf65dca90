#include "system/message/aggregator.hpp"

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/observe/counters.hpp"
#include "system/observe/event_log.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace Grappa::detail {
namespace {

Counter parts("message.payload_parts", "messages", "with parts of payloads too large for a buffer");
Counter suspended("message.suspended_handlers", "messages", "whose handlers suspended");

RunHeader* header_at(Buffer* buffer, uint32_t offset) {
  return reinterpret_cast<RunHeader*>(buffer->runs() + offset);
}

/// Prefetches the front of the runs, which the sender has written. To fetch these lines one after
/// another takes longer (bench/delegate).
void prefetch_runs(const Buffer& buffer, size_t used_bytes) {
  const size_t bytes = std::min(used_bytes, kPrefetchedOfReceived);
  for (size_t at = 0; at < bytes; at += kCacheLineBytes)
    GRAPPA_PREFETCH_TO_READ(buffer.runs() + at);
}

bool notes_runs() { return event_log() != nullptr || virtual_time != nullptr; }

/// Reports that messages of a run were executed, up to the cursor. Worker::runs must still be set.
void note_run(const RunHeader& header, const RunCursor& cursor, size_t bytes) {
  const size_t messages =
      header.stride_bytes == 0 ? cursor.messages_with_payload : bytes / header.stride_bytes;
  if (virtual_time != nullptr) {
    virtual_time->executed(reinterpret_cast<const void*>(header.handler), messages, bytes);
  }
  if (event_log() == nullptr) return;
  event_log()->handler_ended(scheduler().current()->runs, static_cast<uint32_t>(messages));
}

}  // namespace

Core the_sender = 0;

void Inbox::execute(Position position) {
  Delivery delivery = {position, RunCursor(), false};
  const uint32_t end = position.buffer->used_bytes;
  prefetch_runs(*position.buffer, end);
  EventLog* const log = event_log();
  if (GRAPPA_UNLIKELY(log != nullptr)) {
    const bool rest = position.run_offset != 0 || position.next != 0;
    log->begin_buffer(position.buffer->source, end, rest);
  }
  scheduler().set_in_handler(true);
  current_ = &delivery;
  while (delivery.position.run_offset < end) {
    execute_run_at(&delivery);
    if (delivery.detached) return;  // another worker owns the buffer now
  }
  current_ = nullptr;
  scheduler().set_in_handler(false);
  if (GRAPPA_UNLIKELY(log != nullptr)) log->end_buffer();
  transport().release(position.buffer);
}

void Inbox::execute_run_at(Delivery* delivery) {
  Position& position = delivery->position;
  RunHeader* header = header_at(position.buffer, position.run_offset);
  // The buffer may be released before the handler returns, so all needed data is read here.
  const uint32_t span = header->span_bytes;
  if (header->dest == mycore()) {
    const uint64_t scope_id = header->scope;
    const bool by_run = header->acknowledged == Acknowledged::ByRun;
    // Bytes of a unit that the scope of the sender counts (unit_bytes in outbox.cpp).
    const uint32_t unit = header->stride_bytes == 0 ? 1 : header->stride_bytes;
    const char* first = header->payloads() + position.next;
    const Core source = header->source;
    the_sender = source;
    delivery->cursor = RunCursor{first, header->payloads() + header->payload_bytes, false, 0};
    TaskScope* scope = scope_id == 0 ? nullptr : scope_hooks().enter(scope_id, source);
    scheduler().set_scope(scope);
    header->handler(&delivery->cursor);
    scheduler().set_scope(nullptr);
    if (GRAPPA_UNLIKELY(notes_runs())) {
      if (delivery->detached) {
        scheduler().note_leaving();
      } else {
        note_run(*header, delivery->cursor, static_cast<size_t>(delivery->cursor.next - first));
      }
    }
    scheduler().current()->runs = nullptr;
    if (scope != nullptr) {
      const auto executed = static_cast<uint32_t>(delivery->cursor.next - first);
      scope_hooks().leave(scope, source, by_run ? executed / unit : 0);
    }
  }
  position.run_offset += span;
  position.next = 0;
}

void Inbox::detach() {
  Delivery* delivery = current_;
  const bool may_suspend = delivery != nullptr && !delivery->cursor.pinned;
  GRAPPA_CHECK(may_suspend)
      << "a body suspended while it read a payload in place, or an entry of a structure: "
         "copy the needed data, and spawn a task for the rest";
  current_ = nullptr;
  ++suspended;
  delivery->detached = true;
  Position rest = delivery->position;
  const RunHeader* header = header_at(rest.buffer, rest.run_offset);
  rest.next = static_cast<uint32_t>(delivery->cursor.next - header->payloads());
  delivery->cursor.end = delivery->cursor.next;  // the handler's loop ends after this message
  if (GRAPPA_UNLIKELY(notes_runs())) {
    note_run(*header, delivery->cursor, rest.next - delivery->position.next);
  }
  if (GRAPPA_UNLIKELY(event_log() != nullptr)) event_log()->end_buffer();
  if (rest.next == header->payload_bytes) {
    rest.run_offset += header->span_bytes;
    rest.next = 0;
  }
  GRAPPA_DCHECK(remainder_.buffer == nullptr);
  remainder_ = rest;
}

bool Inbox::execute_remainder() {
  if (remainder_.buffer == nullptr) return false;
  execute(std::exchange(remainder_, Position{nullptr, 0, 0}));
  return true;
}

void* Assembly::add(Core source, uint32_t number, size_t total_bytes, size_t offset,
                    const void* part, size_t bytes) {
  ++parts;
  const uint64_t name = static_cast<uint64_t>(source) << 32 | number;
  Unfinished& payload = unfinished_[name];
  if (payload.memory == nullptr) {
    payload.memory.reset(static_cast<char*>(std::malloc(total_bytes)));
    GRAPPA_CHECK(payload.memory != nullptr)
        << "out of memory for a message of " << total_bytes << " bytes from core " << source;
  }
  GRAPPA_DCHECK(offset + bytes <= total_bytes);
  std::memcpy(payload.memory.get() + offset, part, bytes);
  payload.received_bytes += bytes;
  if (payload.received_bytes < total_bytes) return nullptr;
  void* whole = payload.memory.release();
  unfinished_.erase(name);
  return whole;
}

bool Inbox::pin() { return current_ == nullptr || std::exchange(current_->cursor.pinned, true); }

MustNotSuspend::MustNotSuspend()
    : in_handler_(scheduler().in_handler()), pinned_(aggregator().inbox().pin()) {
  scheduler().set_in_handler(true);
}

MustNotSuspend::~MustNotSuspend() {
  scheduler().set_in_handler(in_handler_);
  if (!pinned_) release_payload();
}

void release_payload() { aggregator().inbox().unpin(); }

}  // namespace Grappa::detail
