#include "system/net/transport.hpp"

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/net/topology.hpp"
#include "system/net/world.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/observe/event_log.hpp"

#include <algorithm>

namespace Grappa::detail {

GRAPPA_CORE_LOCAL(Transport*) the_transport = GRAPPA_ABSENT(Transport);

namespace {

Counter buffers_near("net.buffers_by_shared_memory", "buffers",
                     "sent within the locale, without copying");
Counter buffers_far("net.buffers_by_mpi", "buffers", "sent to other locales");
Counter link_full("net.ring_full", "buffers", "delayed because the receiver's ring was full");

Counter owned_bytes("net.buffer_bytes", "bytes", "of message buffers that a core owns",
                    Counter::Total::Max);
Counter used_bytes("net.buffer_bytes_used", "bytes", "of message buffers that a core has used",
                   Counter::Total::Max);

Counter resident("net.buffer_resident", "bytes", "of message buffers in memory");

/// A returned buffer is hot if at most this many bytes were used.
constexpr uint32_t kFewBytes = 512;

NetOptions with_defaults(NetOptions options) {
  if (options.destinations == 0) options.destinations = cores();
  if (options.buffers_per_core == 0) options.buffers_per_core = 4 * options.destinations + 240;
  if (options.ring_entries == 0) {
    options.ring_entries =
        options.buffers_per_core + options.relay_buffers + options.gateway_buffers;
  }
  return options;
}

}  // namespace

Transport::Transport(const NetOptions& options) : options_(with_defaults(options)) {
  GRAPPA_CHECK(options_.buffer_bytes % kCacheLineBytes == 0);
  GRAPPA_CHECK(is_absent(the_transport)) << "the core already has a transport";
  const int posted = locales() > 1 ? options_.posted_receives : 0;
  owned_bytes.set(options_.buffer_bytes * (owned_buffers() + static_cast<uint64_t>(posted)));
  the_transport = this;
  const LinkOptions link = {options_.buffer_bytes, owned_buffers(),
                            static_cast<uint32_t>(options_.ring_entries), posted};
  near_ = world().make_near_link(link);
  if (locales() > 1) far_ = world().make_far_link(link);
  traffic_.resize(static_cast<size_t>(locales()));
  const auto& members = topology().locale_members;
  for (int core = 0; core < cores(); ++core) {
    const auto place = std::lower_bound(members.begin(), members.end(), static_cast<Core>(core));
    const bool near = place != members.end() && *place == core;
    routes_.push_back(near ? Route{near_.get(), static_cast<size_t>(place - members.begin()), {}}
                           : Route{far_.get(), static_cast<size_t>(core), {}});
  }
}

Transport::~Transport() { the_transport = GRAPPA_ABSENT(Transport); }

/// Takes a hot buffer, else a buffer that was never used, else the one that was free the longest.
Buffer* Transport::take() {
  if (pool_.has_hot() || fresh_ == owned_buffers()) return pool_.take();
  Buffer* buffer = near_->own_buffer(fresh_);
  buffer->index = fresh_++;
  used_bytes.set(options_.buffer_bytes * fresh_);
  buffer->owner = mycore();
  buffer->origin = BufferOrigin::Pool;
  return buffer;
}

Buffer* Transport::acquire() {
  if (available() == 0) progress();
  return available() == 0 ? nullptr : take();
}

Buffer* Transport::acquire_for_gateway() {
  if (free_above(options_.relay_buffers) == 0) progress();
  return free_above(options_.relay_buffers) == 0 ? nullptr : take();
}

Buffer* Transport::acquire_for_relay() {
  if (free_buffers() == 0) progress();
  return take();
}

void Transport::send(Core dest, Buffer* buffer) {
  EventLog* const log = event_log();
  const uint64_t begin_ticks = log == nullptr ? 0 : ticks();
  const uint32_t bytes = buffer->used_bytes;  // read before the receiver can get the buffer
  buffer->source = mycore();
  ++sent_;
  Route& route = routes_[static_cast<size_t>(dest)];
  if (dest == mycore()) {
    to_self_.push(buffer);
  } else {
    ++(route.link == near_.get() ? buffers_near : buffers_far);
    Traffic& traffic = traffic_[static_cast<size_t>(locale_of(dest))];
    ++traffic.buffers;
    traffic.bytes += bytes;
    if (!route.backlog.empty() || !route.link->try_send(route.peer, buffer)) {
      if (route.backlog.empty()) ++backlogs_;
      route.backlog.push(buffer);
      ++link_full;
    }
  }
  if (log != nullptr) log->sent(dest, bytes, begin_ticks);
}

void Transport::progress() {
  while (Buffer* buffer = near_->completed()) {
    if (buffer->used_bytes > kFewBytes) {
      pool_.put(buffer);
    } else {
      // The next request of a task that waits for each answer needs this line. Fetched now, the
      // line does not delay the request (bench/message_latency).
      GRAPPA_PREFETCH(buffer->runs());
      pool_.put_hot(buffer);
    }
  }
  if (far_ != nullptr) {
    while (Buffer* buffer = far_->completed()) pool_.put_hot(buffer);
  }
  if (backlogs_ == 0) return;
  for (const Core peer : topology().locale_members) {  // only the near link can be full
    Route& route = routes_[static_cast<size_t>(peer)];
    while (Buffer* buffer = route.backlog.pop()) {  // after try_send, the receiver owns the buffer
      if (!route.link->try_send(route.peer, buffer)) {
        route.backlog.push_front(buffer);
        break;
      }
      if (route.backlog.empty()) --backlogs_;
    }
  }
}

/// The links are polled in turn, so a busy link cannot delay the others.
Buffer* Transport::receive(From from) {
  const int ways = far_ == nullptr ? 2 : 3;
  for (int tries = 0; tries < ways; ++tries) {
    const int way = turn_;
    turn_ = turn_ + 1 == ways ? 0 : turn_ + 1;
    if (way == 2 && from == From::ThisLocale) continue;
    Buffer* buffer = way == 0 ? to_self_.pop() : way == 1 ? near_->receive() : far_->receive();
    if (buffer == nullptr) continue;
    ++received_;
    return buffer;
  }
  return nullptr;
}

void Transport::count_pages() const {
  resident.set(resident_bytes(near_->own_buffer(0), owned_buffers() * options_.buffer_bytes));
}

void Transport::release(Buffer* buffer) {
  if (buffer->origin == BufferOrigin::Received) {
    far_->give_back(buffer);
  } else if (buffer->owner == mycore()) {
    pool_.put_hot(buffer);
  } else {
    near_->give_back(buffer);
  }
}

}  // namespace Grappa::detail
