#pragma once

/// Buffers between cores, by whichever link leads there: this core itself, shared memory, or MPI.
///
/// Nothing here waits. Two cores' buffers arrive exactly once and in the order sent.

#include "system/base/core_local.hpp"
#include "system/net/buffer_pool.hpp"
#include "system/net/mpi_link.hpp"
#include "system/net/options.hpp"
#include "system/net/shm_link.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace Grappa {
namespace detail {

class Transport {
 public:
  /// Called by all cores of the job together, as is the destructor.
  explicit Transport(const NetOptions& options);
  ~Transport();
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  size_t buffer_bytes() const { return options_.buffer_bytes; }
  /// Bytes for runs in each buffer.
  size_t payload_bytes() const { return options_.buffer_bytes - sizeof(Buffer); }

  /// An empty buffer of this core's stock, or null if all are on their way.
  Buffer* acquire();

  /// The same, and then one of those in reserve for buffers that go to cores of this locale.
  Buffer* acquire_for_relay();

  /// Buffers that acquire() would give.
  size_t available() const {
    const size_t home = at_home(), reserve = static_cast<size_t>(options_.relay_buffers);
    return home > reserve ? home - reserve : 0;
  }

  /// To be called some time before send().
  void prefetch_route(Core dest) {
    const Route& route = routes_[static_cast<size_t>(dest)];
    if (route.shared_memory) shm_->prefetch(route.peer);
  }

  /// Sends a buffer of this core's stock; it is at home again when the receiver has executed it.
  void send(Core dest, Buffer* buffer);

  /// Takes buffers back that have been executed, and sends what found its ring full. To be called
  /// often.
  void progress();

  enum class From { ThisLocale, Anywhere };

  /// The next buffer for this core, or null.
  Buffer* receive(From from = From::Anywhere);

  /// Returns a received buffer, executed, to where it belongs.
  void release(Buffer* buffer);

  /// True while MPI has not finished sending, or a ring was too full to send.
  bool sending() const;

  /// Buffers sent and received so far, those to this core itself included.
  uint64_t buffers_sent() const { return sent_; }
  uint64_t buffers_received() const { return received_; }

 private:
  struct Route {
    bool shared_memory;
    size_t peer;      // its place in this locale
    Buffer* backlog;  // buffers that found the ring full, oldest first
    Buffer* backlog_last;
  };

  uint32_t stock() const {
    return static_cast<uint32_t>(options_.buffers_per_core + options_.relay_buffers);
  }
  size_t at_home() const { return pool_.size() + (stock() - fresh_); }
  Buffer* take();
  enum class Way { Self, SharedMemory, Mpi };
  Buffer* receive_by(Way way);
  ShmLayout layout() const;
  void append_to_backlog(Route* route, Buffer* buffer);
  void retry_backlogs();

  NetOptions options_;
  BufferPool pool_;
  std::unique_ptr<ShmLink> shm_;
  std::unique_ptr<MpiLink> mpi_;  // null in a job of one locale
  std::vector<Route> routes_;     // by core
  size_t backlogs_ = 0;           // routes with a backlog
  Buffer* to_self_ = nullptr;     // oldest first
  Buffer* to_self_last_ = nullptr;
  uint32_t fresh_ = 0;  // buffers of the stock below this index have been in use
  uint64_t sent_ = 0;
  uint64_t received_ = 0;
  int turn_ = 0;  // of the Way that receive() looks at first
};

/// This core's transport. Exists between init and finalize.
extern GRAPPA_CORE_LOCAL(Transport*) the_transport;

inline Transport& transport() { return *the_transport; }

}  // namespace detail
}  // namespace Grappa
