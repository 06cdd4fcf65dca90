#pragma once

/// Sends and receives buffers between cores, through shared memory or MPI. No function waits.
/// Between two cores, each buffer arrives exactly once and in order.

#include "system/base/core_local.hpp"
#include "system/net/buffer.hpp"
#include "system/net/mpi.hpp"
#include "system/net/options.hpp"
#include "system/net/shm_link.hpp"

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

  /// Like acquire(), but may also return a reserved buffer. The caller must send the buffer to a
  /// core of this locale.
  Buffer* acquire_for_relay();

  /// Number of buffers that acquire() can return.
  size_t available() const {
    const size_t home = free_buffers(), reserve = static_cast<size_t>(options_.relay_buffers);
    return home > reserve ? home - reserve : 0;
  }

  /// Prefetches the ring slot for `dest`. Should be called some time before send().
  void prefetch_route(Core dest) {
    const Route& route = routes_[static_cast<size_t>(dest)];
    if (route.shared_memory) shm_->prefetch(route.peer);
  }

  /// Sends a buffer of this core's pool. The receiver returns the buffer after execution.
  void send(Core dest, Buffer* buffer);

  /// Reclaims executed buffers and retries the sends that found a full ring. Must be called often.
  void progress();

  enum class From { ThisLocale, Anywhere };

  /// Returns the next buffer for this core, or null.
  Buffer* receive(From from = From::Anywhere);

  /// Returns an executed buffer to its owner.
  void release(Buffer* buffer);

  /// True while an MPI send is in progress or a buffer waits for a full ring.
  bool sending() const { return backlogs_ != 0 || (mpi_ != nullptr && mpi_->sending()); }

  /// Numbers of buffers sent and received so far, including buffers to this core itself.
  uint64_t buffers_sent() const { return sent_; }
  uint64_t buffers_received() const { return received_; }

 private:
  struct Route {
    bool shared_memory;
    size_t peer;          // index of the destination in this locale
    BufferQueue backlog;  // buffers that found the ring full
  };

  uint32_t owned_buffers() const {
    return static_cast<uint32_t>(options_.buffers_per_core + options_.relay_buffers);
  }
  size_t free_buffers() const { return pool_.size() + (owned_buffers() - fresh_); }
  Buffer* take();

  NetOptions options_;
  BufferPool pool_;
  std::unique_ptr<ShmLink> shm_;
  std::unique_ptr<MpiLink> mpi_;  // null if the job has one locale
  std::vector<Route> routes_;     // by core
  size_t backlogs_ = 0;           // number of routes with a backlog
  BufferQueue to_self_;
  uint32_t fresh_ = 0;  // buffers with a lower index have been used
  uint64_t sent_ = 0;
  uint64_t received_ = 0;
  int turn_ = 0;  // the link that receive() polls first: 0 the core itself, 1 shared memory, 2 MPI
};

/// This core's transport. Exists between init and finalize.
extern GRAPPA_CORE_LOCAL(Transport*) the_transport;

inline Transport& transport() { return *the_transport; }

}}  // namespace Grappa::detail
