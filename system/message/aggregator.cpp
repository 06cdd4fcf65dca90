#include "system/message/aggregator.hpp"

#include "system/base/check.hpp"
#include "system/message/scope_hooks.hpp"
#include "system/net/topology.hpp"
#include "system/net/transport.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace Grappa {
namespace detail {

Aggregator* the_aggregator = nullptr;
ScopeHooks the_scope_hooks;

namespace {
uint32_t closure_types = 0;
}  // namespace

uint32_t new_closure_type() {
  const uint32_t number = ++closure_types;
  aggregator().grow_types(number + 1);
  return number;
}

}  // namespace detail

namespace {

Counter full("message.flushed_full", "buffers", "sent because the next message did not fit");
Counter aged("message.flushed_aged", "buffers", "sent because they had been open for flush_age_us");
Counter idle("message.flushed_idle", "buffers", "sent because the core had nothing else to do");
Counter on_request("message.flushed_on_request", "buffers", "sent because the receiver waits");
Counter bytes("message.bytes", "bytes", "of runs in the buffers sent");
Counter waits("message.buffer_waits", "times", "a task suspended because no buffer was free");
Counter overflows("message.overflow", "times", "messages had to wait on the overflow list");
Counter polls("message.polls", "polls", "of the network");
Counter empty_polls("message.empty_polls", "polls", "that received nothing");

void count_flush(FlushCause cause) {
  switch (cause) {
    case FlushCause::Full: ++full; break;
    case FlushCause::Aged: ++aged; break;
    case FlushCause::Idle: ++idle; break;
    case FlushCause::Asked: ++on_request; break;
  }
}

}  // namespace

Aggregator::Aggregator(const MessageOptions& options)
    : options_(options),
      age_limit_ticks_(
          static_cast<uint64_t>(static_cast<double>(options.flush_age_us) * 1000 * ticks_per_ns())),
      outboxes_(static_cast<size_t>(cores())),
      overflow_to_(static_cast<size_t>(cores()), 0) {
  GRAPPA_CHECK(detail::the_aggregator == nullptr) << "a core has one aggregator";
  GRAPPA_CHECK(transport().payload_bytes() >= kMaxClosureBytes + sizeof(RunHeader))
      << "message buffers are too small for the largest message";
  detail::the_aggregator = this;
  grow_types(detail::closure_types + 1);
}

Aggregator::~Aggregator() {
  // Tasks that have not ended by now never will.
  buffer_waiters_.abandon();
  for (Buffer* spare : spares_) std::free(spare);
  detail::the_aggregator = nullptr;
}

void Aggregator::grow_types(size_t count) {
  // A little ahead, so that a program's types do not move the tables one by one.
  for (Outbox& outbox : outboxes_) outbox.resize(std::max<size_t>(64, next_power_of_two(count)));
}

/// A handler holds up the messages behind it; on the root stack there is nobody to switch to.
bool Aggregator::in_task() const {
  return scheduler().current() != nullptr && !scheduler().in_handler();
}

/// A buffer outside of the stock, to be filled and then kept on the overflow list.
Buffer* Aggregator::take_spare() {
  if (!spares_.empty()) {
    Buffer* buffer = spares_.back();
    spares_.pop_back();
    return buffer;
  }
  void* memory = std::aligned_alloc(kCacheLineBytes, transport().buffer_bytes());
  GRAPPA_CHECK(memory != nullptr) << "out of memory for a message buffer";
  Buffer* buffer = new (memory) Buffer();
  buffer->origin = BufferOrigin::Overflow;
  return buffer;
}

/// False if the caller was suspended meanwhile, and must look again.
bool Aggregator::open_buffer(Core dest, MayWait may_wait) {
  const bool waits_for_stock = may_wait == MayWait::InTasks && in_task();
  // Behind overflow for the same core a task must not send: its messages would only queue up there.
  const bool behind_overflow = overflow_to_[static_cast<size_t>(dest)] != 0;
  Buffer* buffer = behind_overflow && waits_for_stock ? nullptr : transport().acquire();
  if (buffer == nullptr) {
    if (waits_for_stock) {
      ++waits;
      buffer_waiters_.suspend();
      return false;
    }
    buffer = take_spare();
  }
  outboxes_[static_cast<size_t>(dest)].open_buffer(buffer, transport().payload_bytes(), ticks());
  open_.push_back(dest);
  return true;
}

void Aggregator::no_such_core(Core dest) const {
  GRAPPA_CHECK(false) << "a message for core " << dest << " of a job of " << cores() << " cores";
  std::abort();
}

char* Aggregator::make_room(Core dest, const RunType& type, uint64_t scope, MayWait may_wait) {
  for (;;) {
    Outbox& outbox = outboxes_[static_cast<size_t>(dest)];
    if (!outbox.has_buffer() && !open_buffer(dest, may_wait)) continue;
    OpenRun& run = outbox.run(type.closure_type);
    const bool room_already = run.room() >= type.stride_bytes && run.scope == scope;
    if (room_already || outbox.make_room(type, scope)) {
      char* place = run.cursor;
      run.cursor += type.stride_bytes;
      return place;
    }
    flush(dest, FlushCause::Full);
  }
}

void Aggregator::hand_over(Core dest, Buffer* buffer) {
  int& overflow_to = overflow_to_[static_cast<size_t>(dest)];
  // Behind overflow for the same core all must queue, to arrive in the order sent. The list holds
  // no stock: its first entry may be waiting for just that.
  if (buffer->origin == BufferOrigin::Stock && overflow_to == 0) {
    transport().send(dest, buffer);
    return;
  }
  ++overflows;
  ++overflow_to;
  overflow_.push_back(
      Overflow{dest, std::vector<char>(buffer->runs(), buffer->runs() + buffer->used_bytes)});
  if (buffer->origin == BufferOrigin::Stock) {
    transport().release(buffer);
  } else {
    spares_.push_back(buffer);
  }
}

void Aggregator::flush(Core dest, FlushCause cause) {
  Outbox& outbox = outboxes_[static_cast<size_t>(dest)];
  if (!outbox.has_buffer()) return;
  open_.erase(std::find(open_.begin(), open_.end(), dest));
  Buffer* buffer = outbox.close_buffer();
  bytes += buffer->used_bytes;
  count_flush(cause);
  hand_over(dest, buffer);
}

bool Aggregator::flush_all(FlushCause cause) {
  const bool any = !open_.empty();
  while (!open_.empty()) flush(open_.back(), cause);
  return any;
}

void Aggregator::flush_aged() {
  const uint64_t now = ticks();
  while (!open_.empty()) {  // the oldest comes first
    const Core oldest = open_.front();
    const uint64_t opened = outboxes_[static_cast<size_t>(oldest)].opened_ticks();
    if (!is_aged(opened, now, age_limit_ticks_)) return;
    flush(oldest, FlushCause::Aged);
  }
}

void Aggregator::send_overflow() {
  while (!overflow_.empty()) {
    Buffer* stock = transport().acquire();
    if (stock == nullptr) return;
    const Overflow& entry = overflow_.front();
    std::memcpy(stock->runs(), entry.runs.data(), entry.runs.size());
    stock->used_bytes = static_cast<uint32_t>(entry.runs.size());
    --overflow_to_[static_cast<size_t>(entry.dest)];
    transport().send(entry.dest, stock);
    overflow_.pop_front();
  }
}

bool Aggregator::poll() {
  ++polls;
  transport().progress();
  if (!overflow_.empty()) send_overflow();
  for (size_t free = transport().available(); free > 0 && buffer_waiters_.wake_one(); --free) {}
  if (!open_.empty()) flush_aged();
  bool any = false;
  for (int count = 0; count < options_.buffers_per_poll; ++count) {
    // What is left of a buffer comes before the next buffer: messages run in the order they were
    // sent.
    if (inbox_.has_remainder()) {
      inbox_.execute_remainder();
    } else if (Buffer* buffer = transport().receive()) {
      inbox_.execute(buffer);
    } else {
      break;
    }
    any = true;
  }
  if (!any) ++empty_polls;
  return any;
}

}  // namespace Grappa
