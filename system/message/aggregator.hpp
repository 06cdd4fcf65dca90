#pragma once

/// Collects this core's messages in one buffer per destination, and executes received buffers.
///
/// append() is the hot path: it finds the open run of the type, writes the closure, and advances
/// the cursor. The slow path handles a full run, a full buffer, and a missing buffer. If no buffer
/// is free, a task suspends until a buffer is returned. A handler must not wait, because it would
/// delay the return of buffers. Replies and acknowledgements must not wait either, because other
/// tasks wait for them. These messages are stored on an overflow list and sent when a buffer of the
/// pool is free. docs/design.md explains why no deadlock is possible.
///
/// With two-hop routing, a core fills one buffer for each other locale, and sends it to the core of
/// that locale with the same local index. Such a buffer is *mixed*. The receiver copies each run
/// for another core into the outbox for that core, which also carries the receiver's own messages.
/// If no buffer is free, the mixed buffer is parked. While a buffer is parked, no other buffer is
/// received from other locales. Some buffers are reserved for relaying (NetOptions::relay_buffers).
/// Reserved buffers are sent only to cores of this locale. Those cores execute messages without
/// waiting, so reserved buffers are always returned.

#include "system/base/compiler.hpp"
#include "system/base/core_local.hpp"
#include "system/message/append.hpp"
#include "system/message/assembly.hpp"
#include "system/message/inbox.hpp"
#include "system/message/options.hpp"
#include "system/message/outbox.hpp"
#include "system/net/transport.hpp"
#include "system/tasking/suspend.hpp"

#include <cstdint>
#include <deque>
#include <new>
#include <vector>

namespace Grappa {
namespace detail {

class Aggregator {
 public:
  explicit Aggregator(const MessageOptions& options);
  ~Aggregator();
  Aggregator(const Aggregator&) = delete;
  Aggregator& operator=(const Aggregator&) = delete;

  // The functions of append.hpp.
  char* make_room(int64_t core, MessageType& type, TaskScope* scope, size_t bytes);
  void request_appended();
  void flush(Core dest, FlushCause cause);
  size_t largest_message() const { return transport().payload_bytes() - sizeof(RunHeader); }

  /// Receives and executes messages, and flushes aged buffers. True if a buffer was received.
  bool poll();

  /// Flushes every open buffer. Returns true if there was one.
  bool flush_all(FlushCause cause);

  /// True if a message that this core sends or relays has not been passed to the transport yet.
  bool holds_messages() const {
    return !open_.empty() || !overflow_near_.empty() || !overflow_far_.empty() ||
           parked_ != nullptr;
  }

  Inbox& inbox() { return inbox_; }
  Assembly& assembly() { return assembly_; }

 private:
  struct Overflow {
    Outbox* outbox;
    bool mixed;
    std::vector<char> runs;
  };

  Outbox& outbox_to(Core dest) { return *outbox_to_[static_cast<size_t>(dest)]; }
  void add_type(MessageType* type);
  bool open_buffer(Outbox* outbox, bool may_wait);
  bool relay_run(const RunHeader& run);
  Buffer* relay_parked();
  Buffer* take_overflow_buffer();
  void hand_over(Outbox* outbox, Buffer* buffer);
  void flush(Outbox* outbox, FlushCause cause);
  void flush_latency_critical();
  void flush_aged();
  void send_overflow(std::deque<Overflow>* list, Buffer* (Transport::*acquire)());
  bool receive_one();
  bool in_task() const;

  const MessageOptions options_;
  const uint64_t age_limit_ticks_;
  std::vector<Outbox> outboxes_;
  std::vector<Outbox*> outbox_to_;         // by destination core
  std::vector<Outbox*> open_;              // outboxes with an open buffer, oldest first
  int64_t unsent_requests_ = 0;            // approximate, since the last flush_latency_critical
  std::deque<Overflow> overflow_near_;     // for cores of this locale
  std::deque<Overflow> overflow_far_;      // for cores of other locales
  std::vector<Buffer*> overflow_buffers_;  // free heap buffers
  WaitQueue<> buffer_waiters_;
  MessageType* types_ = nullptr;  // types that have a table
  Inbox inbox_;
  Buffer* parked_ = nullptr;    // a mixed buffer
  uint32_t parked_offset_ = 0;  // of its first run that is not processed
  Assembly assembly_;
};

extern GRAPPA_CORE_LOCAL(Aggregator*) the_aggregator;

/// This core's aggregator. Exists between init and finalize.
inline Aggregator& aggregator() { return *the_aggregator; }

}  // namespace detail
}  // namespace Grappa
