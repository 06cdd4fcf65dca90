#pragma once

/// Sends and receives buffers between cores, over the links of the World. No function waits.
/// Between two cores, each buffer arrives exactly once and in order.

#include "system/base/core_local.hpp"
#include "system/net/buffer.hpp"
#include "system/net/link.hpp"
#include "system/net/options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace Grappa { namespace detail {

class Transport {
 public:
  /// All cores of the job must call the constructor together, and likewise the destructor.
  explicit Transport(const NetOptions& options);
  ~Transport();
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  size_t buffer_bytes() const { return options_.buffer_bytes; }
  size_t payload_bytes() const { return options_.buffer_bytes - sizeof(Buffer); }  // for runs

  /// Returns an empty buffer of this core's pool, or null if all buffers are in flight.
  Buffer* acquire();

  /// Like acquire(), but may also return a reserved buffer. If buffers are reserved, the caller
  /// must send the buffer to a core of this locale.
  Buffer* acquire_for_relay();

  /// Like acquire(), but may also return a buffer that is reserved for gateways. The caller must
  /// send the buffer to another locale.
  Buffer* acquire_for_gateway();

  /// Number of buffers that acquire() can return.
  size_t available() const { return free_above(options_.relay_buffers + options_.gateway_buffers); }

  /// A hint that a buffer will soon be sent to `dest`.
  void prefetch_route(Core dest) {
    const Route& route = routes_[static_cast<size_t>(dest)];
    route.link->prefetch(route.peer);
  }

  /// Sends a buffer of this core's pool. The receiver returns the buffer after execution.
  void send(Core dest, Buffer* buffer);

  /// Reclaims executed buffers and retries the sends that found a full link. Must be called often.
  void progress();

  enum class From { ThisLocale, Anywhere };

  /// Returns the next buffer for this core, or null.
  Buffer* receive(From from = From::Anywhere);

  /// Returns an executed buffer to its owner.
  void release(Buffer* buffer);

  /// True while a send is in progress that only this core knows, or a buffer waits for a full link.
  bool sending() const { return backlogs_ != 0 || (far_ != nullptr && far_->sending()); }

  /// True if no buffer of this core is open, or in transit to another core or back.
  bool has_all_buffers() const { return free_buffers() == owned_buffers(); }

  /// Numbers of buffers sent and received so far, including buffers to this core itself.
  uint64_t buffers_sent() const { return sent_; }
  uint64_t buffers_received() const { return received_; }

  /// The buffers that this core has sent to other cores, and the bytes of their runs, by locale of
  /// the destination.
  struct Traffic {
    uint64_t buffers;
    uint64_t bytes;
  };
  const std::vector<Traffic>& traffic() const { return traffic_; }
  void reset_traffic() { traffic_.assign(traffic_.size(), Traffic{0, 0}); }

  void count_pages() const;  // sets the counter of the buffers in memory
  size_t table_bytes() const { return routes_.size() * sizeof(Route); }  // grows with the job

 private:
  struct Route {
    Link* link;
    size_t peer;          // of the destination, in the link
    BufferQueue backlog;  // buffers that found the link full
  };

  uint32_t owned_buffers() const {
    return static_cast<uint32_t>(options_.buffers_per_core + options_.relay_buffers +
                                 options_.gateway_buffers);
  }
  size_t free_buffers() const { return pool_.size() + (owned_buffers() - fresh_); }
  size_t free_above(int reserve) const {
    return free_buffers() - std::min(free_buffers(), static_cast<size_t>(reserve));
  }
  Buffer* take();

  NetOptions options_;
  BufferPool pool_;
  std::unique_ptr<LocaleLink> near_;
  std::unique_ptr<Link> far_;  // null if the job has one locale
  std::vector<Route> routes_;  // by core
  size_t backlogs_ = 0;        // number of routes with a backlog
  BufferQueue to_self_;
  uint32_t fresh_ = 0;  // buffers with a lower index have been used
  uint64_t sent_ = 0;
  uint64_t received_ = 0;
  std::vector<Traffic> traffic_;
  int turn_ = 0;  // what receive() polls first: 0 the core itself, 1 near_, 2 far_
};

/// This core's transport. Exists between init and finalize.
extern GRAPPA_CORE_LOCAL(Transport*) the_transport;

inline Transport& transport() { return *the_transport; }

}}  // namespace Grappa::detail
