#include "system/message/aggregator.hpp"

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/mapping.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <type_traits>
#include <utility>

namespace Grappa::detail {

GRAPPA_CORE_LOCAL(Aggregator*) the_aggregator = GRAPPA_ABSENT(Aggregator);
ScopeHooks the_scope_hooks;
ClosureScan the_closure_scan = nullptr;

namespace {

/// Indexed by FlushCause.
Counter flushed[] = {
    Counter("message.flushed_full", "buffers", "sent because they were full"),
    Counter("message.flushed_aged", "buffers",
            "sent because they reached the limit of flush_age_us"),
    Counter("message.flushed_latency_critical", "buffers", "sent because tasks wait for them"),
    Counter("message.flushed_idle", "buffers", "sent because the core had no other work"),
    Counter("message.flushed_on_request", "buffers", "sent because the receiver waits")};
Counter bytes_sent("message.bytes", "bytes", "of runs in the buffers sent");
Counter copied("message.bytes_copied", "bytes",
               "within the locale, between the sender's write and the execution");
Counter buffer_waits("message.buffer_waits", "times",
                     "a task suspended because no buffer was free");
Counter overflows("message.overflow", "times", "messages were put on the overflow list");
Counter joined("message.overflow_joined", "times", "they shared a buffer with earlier overflow");
Counter overflow_high("message.overflow_high_water", "buffers", "on the overflow list at most",
                      Counter::Total::Max);
Counter relayed("message.runs_relayed", "runs", "of other cores, relayed");
Counter relayed_bytes("message.bytes_relayed", "bytes", "copied to relay runs");
Counter parked_buffers("message.buffers_parked", "buffers", "that had to wait for relaying");
Counter table_bytes("message.table_bytes", "bytes", "of tables with an entry for each destination");
Counter table_resident("message.table_resident", "bytes", "of these tables in memory");
Counter polls("message.polls", "polls", "of the network");
Counter empty_polls("message.empty_polls", "polls", "that received nothing");

/// Returns a free buffer, or null. Relayed messages may use a reserve of their hop. The buffers of
/// a hop become free again without buffers of earlier hops, so a hop may use their reserves, too.
Buffer* acquire_for(Hop hop, bool relaying) {
  if (relaying && hop == Hop::ToDestination) return transport().acquire_for_relay();
  if (relaying && hop == Hop::ToLocale) return transport().acquire_for_gateway();
  return transport().acquire();
}

}  // namespace

Aggregator::Aggregator(const MessageOptions& options)
    : options_(options), outbox_to_(static_cast<size_t>(cores()), nullptr) {
  GRAPPA_CHECK(is_absent(the_aggregator)) << "the core already has an aggregator";
  GRAPPA_CHECK(transport().buffer_bytes() >= 2 * kMaxClosureBytes)
      << "message buffers are too small for the largest message";
  const Routing routing = choose_routing(options.routing, cores(), locales());
  const std::vector<FirstHop> hops = first_hops(routing, topology());
  std::map<std::pair<Core, Hop>, Outbox*> by_hop;
  outboxes_.reserve(static_cast<size_t>(outbox_count(routing, topology())));
  for (size_t dest = 0; dest < hops.size(); ++dest) {
    Outbox*& outbox = by_hop[{hops[dest].receiver, hops[dest].hop}];
    if (outbox == nullptr) {
      outboxes_.push_back(Outbox(hops[dest]));
      outbox = &outboxes_.back();
    }
    outbox_to_[dest] = outbox;
    ++outbox->destinations;
  }
  GRAPPA_CHECK(outboxes_.size() <= static_cast<size_t>(outbox_count(routing, topology())));
  const double age_ticks = 1000.0 * static_cast<double>(options.flush_age_us) * ticks_per_ns();
  for (const Outbox& outbox : outboxes_) {
    uint64_t& limit = age_limit_ticks_[static_cast<size_t>(outbox.hop)];
    const int ages = std::min(outbox.destinations, kMostAges);
    limit = std::max(limit, static_cast<uint64_t>(age_ticks * ages));
    hops_ = std::max(hops_, static_cast<size_t>(outbox.hop) + 1);
  }
  the_aggregator = this;
}

Aggregator::~Aggregator() {
  buffer_waiters_.abandon();  // tasks that have not ended by now are never resumed
  for (Buffer* spare : overflow_buffers_) std::free(spare);
  for (MessageType* type : types_) {
    std::free(type->runs);
    type->runs = nullptr;
    type->cores = 0;
  }
  the_aggregator = GRAPPA_ABSENT(Aggregator);
}

void Aggregator::add_type(MessageType* type) {
  // A zero-initialized OpenRun is closed. Pages for unused destinations are never touched.
  static_assert(std::is_trivially_destructible<OpenRun>::value, "");
  type->runs = static_cast<OpenRun*>(std::calloc(outbox_to_.size(), sizeof(OpenRun)));
  GRAPPA_CHECK(type->runs != nullptr) << "out of memory for the table of a message type";
  if (!checks_closures()) type->cores = static_cast<uint32_t>(outbox_to_.size());
  types_.push_back(type);
}

void Aggregator::count_tables() const {
  const size_t type_bytes = outbox_to_.size() * sizeof(OpenRun);
  const size_t others = transport().table_bytes() + outbox_to_.size() * sizeof(void*) +
                        outboxes_.size() * sizeof(Outbox);
  size_t touched = others;
  for (const MessageType* type : types_) {
    const uintptr_t page = reinterpret_cast<uintptr_t>(type->runs) / page_bytes() * page_bytes();
    touched +=
        std::min(type_bytes, resident_bytes(reinterpret_cast<const void*>(page), type_bytes));
  }
  table_bytes.set(others + types_.size() * type_bytes);
  table_resident.set(touched);
}

/// Opens a buffer for `outbox`. If the outbox has overflow, or no buffer is free: returns
/// false if `may_wait`, otherwise uses an overflow buffer, which does not belong to the pool.
bool Aggregator::open_buffer(Outbox* outbox, bool may_wait, bool relaying) {
  // Messages must not overtake the overflow, so free buffers are used for the overflow first.
  Buffer* buffer = outbox->overflow != 0 ? nullptr : acquire_for(outbox->hop, relaying);
  if (buffer == nullptr && may_wait) return false;
  if (buffer == nullptr && !overflow_buffers_.empty()) {
    buffer = overflow_buffers_.back();
    overflow_buffers_.pop_back();
  } else if (buffer == nullptr) {
    void* memory = std::aligned_alloc(kCacheLineBytes, transport().buffer_bytes());
    GRAPPA_CHECK(memory != nullptr) << "out of memory for a message buffer";
    buffer = new (memory) Buffer();
    buffer->origin = BufferOrigin::Overflow;
  }
  transport().prefetch_route(outbox->receiver);
  outbox->open_buffer(buffer, transport().payload_bytes(), ticks());
  open_list_of(*outbox).push_back(outbox);
  ++open_outboxes_;
  return true;
}

/// Relays runs of a mixed buffer. Returns false if it needs a buffer and none is free.
bool Aggregator::relay(Relayed* mixed) {
  while (mixed->offset < mixed->buffer->used_bytes) {
    const RunHeader& run =
        *reinterpret_cast<const RunHeader*>(mixed->buffer->runs() + mixed->offset);
    if (run.dest != mycore()) {
      Outbox& outbox = outbox_to(run.dest);
      while (!outbox.has_buffer() || !outbox.append_run(run)) {
        if (outbox.has_buffer()) flush(&outbox, FlushCause::Full);
        if (!open_buffer(&outbox, true, true)) return false;
      }
      ++relayed;
      relayed_bytes += run.payload_bytes;
      if (virtual_time != nullptr) {
        virtual_time->executed(reinterpret_cast<const void*>(run.handler), 1, run.span_bytes);
      }
    }
    mixed->offset += run.span_bytes;
  }
  return true;
}

/// Relays the oldest buffer to other locales. Returns false if the buffer must wait.
bool Aggregator::relay_outgoing() {
  if (!relay(&outgoing_.front())) return false;
  Buffer* const done = outgoing_.front().buffer;
  outgoing_.pop_front();
  inbox_.execute(done);  // executes no run, but is part of the trace, and releases the buffer
  return true;
}

/// Relays runs of the parked buffer. Returns the buffer, or null if the buffer must stay parked.
Buffer* Aggregator::relay_parked() {
  return relay(&parked_) ? std::exchange(parked_.buffer, nullptr) : nullptr;
}

/// Relays the runs of a mixed buffer. If it comes from another locale and is completely relayed,
/// returns the buffer, whose other runs the caller must execute. Otherwise, returns null: the
/// buffer has been released, or waits.
GRAPPA_NOINLINE Buffer* Aggregator::begin_relaying(Buffer* mixed) {
  if (mixed->origin != BufferOrigin::Received) {
    outgoing_.push_back(Relayed{mixed, 0});
    if (outgoing_.size() > 1 || !relay_outgoing()) ++parked_buffers;
    return nullptr;
  }
  parked_ = Relayed{mixed, 0};
  Buffer* const rest = relay_parked();
  if (rest == nullptr) ++parked_buffers;
  return rest;
}

void Aggregator::flush(Outbox* outbox, FlushCause cause) {
  std::vector<Outbox*>& open = open_list_of(*outbox);
  open.erase(std::find(open.begin(), open.end(), outbox));
  --open_outboxes_;
  Buffer* buffer = outbox->close_buffer();
  bytes_sent += buffer->used_bytes;
  ++flushed[static_cast<size_t>(cause)];
  // While there is overflow for a core, messages to that core must join it, to preserve their
  // order. The list must not hold pool buffers, because its first entry may wait for a pool buffer.
  if (buffer->origin == BufferOrigin::Pool && outbox->overflow == 0) {
    transport().send(outbox->receiver, buffer);
    return;
  }
  ++overflows;
  std::deque<Overflow>& list = overflow_[static_cast<size_t>(outbox->hop)];
  if (!list.empty() && list.back().outbox == outbox &&
      list.back().runs.size() + buffer->used_bytes <= transport().payload_bytes()) {
    ++joined;  // small flushes, such as replies, share an entry
  } else {
    list.push_back(Overflow{outbox, false, {}});
    ++overflow_entries_;
    ++outbox->overflow;
  }
  Overflow& entry = list.back();
  entry.mixed |= buffer->mixed;
  entry.runs.insert(entry.runs.end(), buffer->runs(), buffer->runs() + buffer->used_bytes);
  overflow_high.raise_to(overflow_entries_);
  copied += buffer->used_bytes;
  if (buffer->origin == BufferOrigin::Pool) {
    transport().release(buffer);
  } else {
    overflow_buffers_.push_back(buffer);
  }
}

bool Aggregator::flush_all(FlushCause cause) {
  unsent_requests_ = 0;
  if (!has_open()) return false;
  for (size_t hop = 0; hop < hops_; ++hop) {
    while (!open_[hop].empty()) flush(open_[hop].back(), cause);
  }
  return true;
}

void Aggregator::flush_latency_critical() {
  unsent_requests_ = 0;
  for (size_t hop = 0; hop < hops_; ++hop) {
    std::vector<Outbox*>& list = open_[hop];
    for (size_t k = list.size(); k-- > 0;) {
      if (list[k]->latency_critical()) flush(list[k], FlushCause::LatencyCritical);
    }
  }
}

void Aggregator::flush_aged() {
  const uint64_t now = ticks();
  for (size_t hop = 0; hop < hops_; ++hop) {
    std::vector<Outbox*>& list = open_[hop];
    while (!list.empty() && is_aged(list.front()->opened_ticks(), now, age_limit_ticks_[hop])) {
      flush(list.front(), FlushCause::Aged);
    }
  }
}

/// Sends entries of the list of a hop, oldest first, while a buffer is free.
void Aggregator::send_overflow(Hop hop) {
  std::deque<Overflow>* const list = &overflow_[static_cast<size_t>(hop)];
  while (!list->empty()) {
    Buffer* buffer = acquire_for(hop, true);
    if (buffer == nullptr) return;
    const Overflow& entry = list->front();
    std::memcpy(buffer->runs(), entry.runs.data(), entry.runs.size());
    buffer->used_bytes = static_cast<uint32_t>(entry.runs.size());
    buffer->mixed = entry.mixed;
    copied += buffer->used_bytes;
    --entry.outbox->overflow;
    transport().send(entry.outbox->receiver, buffer);
    list->pop_front();
    --overflow_entries_;
  }
}

/// Executes the remainder of a buffer. If there is no remainder, executes the next buffer. The
/// remainder is first, because its messages were sent first. Returns false if there is neither.
bool Aggregator::receive_one() {
  if (inbox_.execute_remainder()) return true;
  if (!outgoing_.empty() && relay_outgoing()) return true;
  Buffer* buffer = parked_.buffer == nullptr ? nullptr : relay_parked();
  if (buffer == nullptr) {
    buffer = transport().receive(parked_.buffer == nullptr ? Transport::From::Anywhere
                                                           : Transport::From::ThisLocale);
    if (buffer == nullptr) return false;
    if (buffer->mixed) buffer = begin_relaying(buffer);
  }
  if (buffer != nullptr) inbox_.execute(buffer);
  return true;
}

bool Aggregator::poll() {
  ++polls;
  transport().progress();
  if (has_open()) flush_aged();  // before send_overflow: a flush may free a pool buffer
  if (overflow_entries_ != 0) {
    for (size_t hop = 0; hop < hops_; ++hop) send_overflow(static_cast<Hop>(hop));
  }
  for (size_t free = transport().available(); free > 0 && buffer_waiters_.wake_one(); --free) {}
  bool any = false;
  for (int count = 0; count < options_.buffers_per_poll && receive_one(); ++count) any = true;
  if (!any) ++empty_polls;
  if (any) flush_latency_critical();
  return any;
}

void request_appended() {
  Aggregator& self = aggregator();
  if (requests_are_due(++self.unsent_requests_, scheduler().tasks().live())) {
    self.flush_latency_critical();
  }
}

void flush_to(Core dest, FlushCause cause) {
  Aggregator& self = aggregator();
  if (self.outbox_to(dest).has_buffer()) self.flush(&self.outbox_to(dest), cause);
}

char* make_room(int64_t dest, MessageType& type, TaskScope* scope, size_t bytes, bool may_suspend) {
  const Core owner = checked_core(dest);
  GRAPPA_DCHECK(bytes <= largest_message());
  Aggregator& self = aggregator();
  if (type.runs == nullptr) self.add_type(&type);
  Outbox& outbox = self.outbox_to(owner);
  for (;;) {
    // A waiting handler would delay later messages. The root stack cannot suspend.
    const bool may_wait = type.may_wait == MayWait::InTasks && scheduler().current() != nullptr &&
                          !scheduler().in_handler();
    if ((may_wait && outbox.overflow != 0) ||  // a message would only lengthen the overflow list
        (!outbox.has_buffer() && !self.open_buffer(&outbox, may_wait, false))) {
      if (!may_suspend) return nullptr;
      ++buffer_waits;
      self.buffer_waiters_.suspend(WaitReason(WaitReason::Kind::Buffer));
      continue;
    }
    char* place = outbox.append(type, owner, scope, bytes);
    if (place != nullptr) return place;
    self.flush(&outbox, FlushCause::Full);
    // A task that sends continuously must poll, because other cores need their buffers back.
    if (type.may_wait != MayWait::InTasks) continue;
    if (may_suspend) {
      scheduler().yield_if_due();
    } else if (scheduler().yield_is_due()) {
      return nullptr;
    }
  }
}

size_t largest_message() { return transport().payload_bytes() - sizeof(RunHeader); }

uint32_t new_payload_number() { return aggregator().assembly().new_number(); }

void* assemble(const PartHeader& header, const void* part, size_t bytes) {
  return aggregator().assembly().add(the_sender, header.number, header.total_bytes, header.offset,
                                     part, bytes);
}

}  // namespace Grappa::detail
