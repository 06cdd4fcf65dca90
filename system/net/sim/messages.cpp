/// Messages of a simulated cluster: the model of the network, and the lists of arrivals.

#include "system/net/sim/cluster.hpp"

#include "system/base/check.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace Grappa::detail {
namespace {

bool comes_later(const SimEvent* a, const SimEvent* b) { return b->is_before(*a); }

}  // namespace

void Cluster::put_return(SimReturn* returned, uint64_t at_ns) {
  SimCore& owner = cores_[returned->owner];
  returned->at_ns = at_ns += returned->late_ns;
  owner.returns[static_cast<int>(returned->way)].put(returned);
  if (owner.wants_buffers) wake_at(static_cast<int>(returned->owner), at_ns);
}

void Cluster::send_far(SimEvent* event) {
  SimLane& lane = lanes_[lane_of(static_cast<int>(event->source))];
  event->after = lane.outgoing;
  lane.outgoing = event;
}

void Cluster::send(Way way, int source, int dest, uint64_t now_ns, Buffer* buffer, uint64_t late_ns,
                   uint64_t return_ns) {
  ++cores_[source].sent;
  SimArena& arena = arena_of(source);
  SimReturn* const returned = arena.allocate_return();
  *returned = SimReturn{nullptr, nullptr, 0, return_ns, buffer, static_cast<uint32_t>(source), way};
  const uint32_t bytes = static_cast<uint32_t>(sizeof(Buffer)) + buffer->used_bytes;
  SimEvent* const event = arena.allocate_event(bytes);
  event->send_ns = now_ns;
  event->late_ns = late_ns;
  event->sequence = ++cores_[source].sequence;
  event->number = ++of_pair(sent_, source, dest);
  event->returned = returned;
  event->source = static_cast<uint32_t>(source);
  event->dest = static_cast<uint32_t>(dest);
  event->way = way;
  std::memcpy(static_cast<void*>(event->buffer), static_cast<const void*>(buffer), bytes);
  event->buffer->received_as = event;
  if (way == Way::Far) return send_far(event);
  event->arrive_ns = now_ns + near_latency_ns();
  if (options.faults) {  // keeps the order between two cores
    uint64_t& last_ns = of_pair(last_ns_, source, dest);
    last_ns = event->arrive_ns = std::max(event->arrive_ns + late_ns, last_ns);
  }
  cores_[dest].inbox[0].put(event);
  if (cores_[dest].waits[0]) wake_at(dest, event->arrive_ns);
  // The receiver may now answer earlier than any core of the locale could before.
  SimCore& mine = cores_[source];
  if (next_ns_[dest] != kNever) {
    mine.horizon_ns = std::min(mine.horizon_ns, next_ns_[dest] + near_latency_ns());
  }
}

SimEvent* Cluster::receive(Way way, int core, uint64_t now_ns) {
  SimEvent* const message = cores_[core].inbox[static_cast<int>(way)].pop();
  ++cores_[core].received;
  const uint64_t number = ++of_pair(received_, core, static_cast<int>(message->source));
  GRAPPA_CHECK(message->number == number) << "message " << message->number << " from core "
                                          << message->source << " arrives as number " << number;
  if (way == Way::Near || message->returned == nullptr) return message;
  SimEvent* const event = arena_of(core).allocate_event(0);
  event->send_ns = now_ns;
  event->sequence = ++cores_[core].sequence;
  event->returned = message->returned;
  event->source = static_cast<uint32_t>(core);
  event->dest = message->source;
  event->way = way;
  send_far(event);
  return message;
}

void Cluster::free(int core, uint64_t now_ns, SimEvent* message) {
  if (message->way == Way::Near) {
    put_return(message->returned, now_ns + near_latency_ns());
    arena_of(core).free(message);
    return;
  }
  SimLane& lane = lanes_[lane_of(core)];
  message->after = lane.freed;
  lane.freed = message;
}

Buffer* Cluster::completed(Way way, int core, uint64_t now_ns) {
  SimList<SimReturn>& returns = cores_[core].returns[static_cast<int>(way)];
  if (returns.first == nullptr || returns.first->at_ns > now_ns) return nullptr;
  SimReturn* const returned = returns.pop();
  Buffer* const buffer = returned->buffer;
  arena_of(core).free(returned);
  return buffer;
}

uint64_t Cluster::next_event_ns(int core, const bool (&ways)[2], bool with_returns) const {
  const SimCore& mine = cores_[core];
  uint64_t next = kNever;
  for (int way = 0; way < 2; ++way) {
    const SimEvent* const first = mine.inbox[way].first;
    if (ways[way] && first != nullptr) next = std::min(next, first->arrive_ns);
  }
  for (const auto& returns : mine.returns) {
    if (with_returns && returns.first != nullptr) next = std::min(next, returns.first->at_ns);
  }
  return next;
}

/// Passes events between locales on, in the order of their times: messages are injected at the
/// port of the sender, and a latency later they come to the port of the receiver. Events that were
/// sent before the least clock are injected, because no core can send anything earlier. For the
/// same reason, the port of a receiver knows the order of what comes until a latency later.
void Cluster::pass_on_events() {
  for (int k = 0; k < lanes; ++k) {
    for (SimEvent* event = lanes_[k].outgoing; event != nullptr; event = event->after) {
      GRAPPA_CHECK(pending_size_ + coming_size_ < kMostPending)
          << "too many messages between locales";
      pending_[pending_size_++] = event;
    }
    lanes_[k].outgoing = nullptr;
    for (SimEvent* event = lanes_[k].freed; event != nullptr;) {
      SimEvent* const freed = event;
      event = event->after;
      arena_of(static_cast<int>(freed->source)).free(freed);
    }
    lanes_[k].freed = nullptr;
  }
  if (pending_size_ + coming_size_ == 0) return;
  SimEvent** const last = pending_ + pending_size_;
  std::sort(pending_, last, [](const SimEvent* a, const SimEvent* b) {
    return std::tie(a->send_ns, a->source, a->sequence) <
           std::tie(b->send_ns, b->source, b->sequence);
  });
  uint64_t least_ns = *std::min_element(next_ns_, next_ns_ + cores);
  SimEvent** event = pending_;
  for (;;) {
    const uint64_t send_ns = event == last ? kNever : (*event)->send_ns;
    const uint64_t come_ns = coming_size_ == 0 ? kNever : coming_[0]->arrive_ns;
    const uint64_t known_ns = least_ns == kNever ? kNever : least_ns + far_latency_ns();
    if (send_ns < least_ns && (send_ns <= come_ns || come_ns >= known_ns)) {
      least_ns = std::min(least_ns, inject(*event++));
    } else if (come_ns < known_ns) {
      std::pop_heap(coming_, coming_ + coming_size_, comes_later);
      least_ns = std::min(least_ns, deliver(coming_[--coming_size_]));
    } else {
      break;
    }
  }
  pending_size_ = static_cast<size_t>(std::copy(event, last, pending_) - pending_);
}

uint64_t Cluster::busy_ps(const SimEvent& event) const {
  return std::max(options.far.gap_ps, event.bytes * options.far.gap_per_byte_ps);
}

/// Returns when a core continues that the event may have woken.
uint64_t Cluster::inject(SimEvent* event) {
  if (!event->is_message()) {
    put_return(event->returned, event->send_ns + far_latency_ns());
    arena_of(static_cast<int>(event->source)).free(event);
    return next_ns_[event->dest];
  }
  uint64_t& port_ps = port_out_ps_[static_cast<int>(event->source) / options.cores_per_locale];
  const uint64_t begin_ps = std::max(event->send_ns * 1000, port_ps);
  port_ps = begin_ps + busy_ps(*event);
  if (event->bytes <= options.eager_bytes) {
    put_return(event->returned, port_ps / 1000);
    event->returned = nullptr;
  }
  event->arrive_ns = begin_ps / 1000 + far_latency_ns();  // at the port of the receiver
  coming_[coming_size_++] = event;
  std::push_heap(coming_, coming_ + coming_size_, comes_later);
  return next_ns_[event->source];
}

/// Likewise.
uint64_t Cluster::deliver(SimEvent* event) {
  const int dest = static_cast<int>(event->dest);
  uint64_t& port_ps = port_in_ps_[dest / options.cores_per_locale];
  port_ps = std::max(port_ps, event->arrive_ns * 1000) + busy_ps(*event);
  event->arrive_ns = port_ps / 1000;
  if (options.faults) {  // keeps the order between two cores
    uint64_t& last_ns = of_pair(last_ns_, static_cast<int>(event->source), dest);
    last_ns = event->arrive_ns = std::max(event->arrive_ns + event->late_ns, last_ns);
  }
  cores_[dest].inbox[1].put(event);
  if (cores_[dest].waits[1]) wake_at(dest, event->arrive_ns);
  return next_ns_[dest];
}

}  // namespace Grappa::detail
