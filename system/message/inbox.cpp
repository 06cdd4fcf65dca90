#include "system/message/inbox.hpp"

#include "system/base/check.hpp"
#include "system/message/scope_hooks.hpp"
#include "system/net/transport.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/scheduler.hpp"

namespace Grappa {
namespace {

Counter suspended("message.suspended_handlers", "messages", "suspended while they ran");

RunHeader* header_at(Buffer* buffer, uint32_t offset) {
  return reinterpret_cast<RunHeader*>(buffer->runs() + offset);
}

}  // namespace

void Inbox::execute(Position position) {
  Delivery delivery = {position, RunCursor(), false};
  const uint32_t end = position.buffer->used_bytes;
  scheduler().set_in_handler(true);
  current_ = &delivery;
  source_ = position.buffer->source;
  while (delivery.position.run_offset < end) {
    execute_run_at(&delivery);
    if (delivery.detached) return;  // the buffer is no longer this worker's
  }
  current_ = nullptr;
  scheduler().set_in_handler(false);
  transport().release(position.buffer);
}

void Inbox::execute_run_at(Delivery* delivery) {
  Position& position = delivery->position;
  RunHeader* header = header_at(position.buffer, position.run_offset);
  // The buffer may be gone when the handler returns, so all that is needed then is read before.
  const uint64_t scope_id = header->scope;
  const bool acknowledge = header->acknowledged == Acknowledged::ByRun;
  const uint32_t span = header->span_bytes;
  const uint32_t first = position.next;
  const Core source = source_;
  delivery->cursor = RunCursor{header->payloads(), first, header->count};
  TaskScope* scope = scope_id == 0 ? nullptr : scope_hooks().enter(scope_id, source);
  scheduler().set_scope(scope);
  header->handler(&delivery->cursor);
  scheduler().set_scope(nullptr);
  scheduler().current()->runs = nullptr;
  if (scope != nullptr) {
    const int64_t executed = delivery->cursor.next - first;
    scope_hooks().leave(scope, source, acknowledge ? executed : 0);
  }
  position.run_offset += span;
  position.next = 0;
}

void Inbox::detach() {
  Delivery* delivery = current_;
  GRAPPA_DCHECK(delivery != nullptr);
  current_ = nullptr;
  ++suspended;
  delivery->detached = true;
  Position rest = delivery->position;
  rest.next = delivery->cursor.next;
  delivery->cursor.count = delivery->cursor.next;  // the handler's loop ends after this message
  GRAPPA_DCHECK(!has_remainder_);
  remainder_ = rest;
  has_remainder_ = true;
}

void Inbox::execute_remainder() {
  Position rest = remainder_;
  has_remainder_ = false;
  if (rest.next == header_at(rest.buffer, rest.run_offset)->count) {
    rest.run_offset += header_at(rest.buffer, rest.run_offset)->span_bytes;
    rest.next = 0;
  }
  execute(rest);
}

}  // namespace Grappa
