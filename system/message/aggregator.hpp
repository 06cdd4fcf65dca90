#pragma once

/// Collects this core's messages in one buffer per destination, and executes received buffers.
///
/// If no buffer is free, a task suspends until a buffer is returned, and messages that must not
/// wait go to an overflow list. With two-hop routing, a buffer for another locale can be *mixed*:
/// it contains runs for several cores of that locale. If the receiver has no buffer to relay such a
/// run, it parks the mixed buffer. With three-hop routing, buffers for gateways are mixed, too.
/// docs/design.md (Messages) explains these states, the reserved buffers (NetOptions), and why a
/// deadlock is impossible.

#include "system/base/core_local.hpp"
#include "system/base/ids.hpp"
#include "system/message/append.hpp"
#include "system/message/options.hpp"
#include "system/message/wire.hpp"
#include "system/net/transport.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

namespace Grappa { namespace detail {

/// An open buffer and its runs, for one core, for the cores of one locale, or for those of the
/// locales of a gateway. Each closure type and destination has its own run, which owns a chunk of
/// the buffer. While a run of counted messages is open, its scope counts as many messages as fit
/// into the chunk, or the bytes of the chunk if the messages have payloads. Therefore appending a
/// message updates no counter (docs/design.md, Completion scopes). Invariants: runs_ contains
/// exactly the open runs. If there is no buffer, runs_ is empty. tail_ is a multiple of
/// kRunAlignment, and all bytes below tail_ belong to runs. An open run has at least one message.
class Outbox {
 public:
  explicit Outbox(FirstHop first) : receiver(first.receiver), hop(first.hop) {}

  const Core receiver;  // the destination, or the core that relays the runs
  const Hop hop;
  int destinations = 0;  // number of destinations that share the buffer
  int overflow = 0;      // number of entries on the overflow list; they precede the open buffer

  bool has_buffer() const { return buffer_ != nullptr; }
  uint64_t opened_ticks() const { return opened_ticks_; }
  bool latency_critical() const { return latency_critical_; }

  /// Opens `buffer`, which has a capacity of `payload_bytes` for runs.
  void open_buffer(Buffer* buffer, size_t payload_bytes, uint64_t now_ticks);

  /// Reserves `bytes` for one message in the type's open run for `dest`, or in a new run. Returns
  /// null if the buffer has too little space.
  char* append(MessageType& type, Core dest, TaskScope* scope, size_t bytes);

  /// Appends a copy of a closed run. Returns false if the buffer has too little space.
  bool append_run(const RunHeader& run);

  /// Closes all runs and returns the completed buffer.
  Buffer* close_buffer();

 private:
  bool grow(OpenRun* run, size_t bytes);
  bool open(OpenRun* run, const MessageType& type, Core dest, TaskScope* scope, size_t bytes);
  void close(OpenRun* run);
  char* take(size_t wanted_bytes, size_t needed_bytes);
  void prefetch(const char* to);

  bool latency_critical_ = false;
  bool mixed_ = false;  // contains runs for cores other than the receiver
  Buffer* buffer_ = nullptr;
  char* tail_ = nullptr;
  char* end_ = nullptr;
  char* full_ = nullptr;        // the buffer is full when tail_ has reached this address
  char* prefetched_ = nullptr;  // the end of the prefetched lines
  uint64_t opened_ticks_ = 0;
  std::vector<OpenRun*> runs_;
};

/// Reassembles payloads that were too large for one buffer. Parts arrive once, in any order.
class Assembly {
 public:
  uint32_t new_number() { return next_number_++; }  // for a payload of this core

  /// Copies a part to its offset. Returns the same as assemble() (send.hpp).
  void* add(Core source, uint32_t number, size_t total_bytes, size_t offset, const void* part,
            size_t bytes);

 private:
  struct Unfinished {
    std::unique_ptr<char, void (*)(void*)> memory{nullptr, std::free};
    size_t received_bytes = 0;
  };

  uint32_t next_number_ = 0;
  std::unordered_map<uint64_t, Unfinished> unfinished_;  // by sender and number
};

/// Executes received buffers, run by run, on the polling worker. A handler that suspends keeps its
/// worker, and the rest of its buffer becomes the remainder. The next polling worker executes the
/// remainder. Invariants: At most one delivery is current, and its worker has in_handler set. At
/// most one remainder exists, and no other delivery starts before the remainder.
class Inbox {
 public:
  /// Executes the messages of `buffer` and releases the buffer. If a handler suspends, other
  /// workers execute the rest, and execute() returns when the handler has ended. From: a worker
  /// without a task.
  void execute(Buffer* buffer) { execute(Position{buffer, 0, 0}); }

  /// Executes the remainder like a buffer. Returns false if no remainder exists.
  bool execute_remainder();

  /// Called when the running handler suspends. Makes the rest of its buffer the remainder.
  void detach();

  /// Declares that the running handler uses its buffer, or no longer uses it. Until unpin(), a
  /// suspension aborts the job. pin() returns true if that was so before; in a task, always.
  bool pin();
  void unpin() { current_->cursor.pinned = false; }

  /// True if the running code belongs to a message that has not suspended.
  bool executing() const { return current_ != nullptr; }

 private:
  struct Position {
    Buffer* buffer;
    uint32_t run_offset;  // offset of the next run's header
    uint32_t next;        // offset of the next payload from the end of the run's header
  };
  struct Delivery {  // on the stack of the worker that executes it
    Position position;
    RunCursor cursor;
    bool detached;
  };

  void execute(Position position);
  void execute_run_at(Delivery* delivery);

  Delivery* current_ = nullptr;
  Position remainder_ = {nullptr, 0, 0};
};

class Aggregator {
 public:
  explicit Aggregator(const MessageOptions& options);
  ~Aggregator();
  Aggregator(const Aggregator&) = delete;
  Aggregator& operator=(const Aggregator&) = delete;

  /// Executes received messages, and flushes aged buffers. Returns true if a buffer was received.
  bool poll();

  /// Flushes every open buffer. Returns true if at least one buffer was open.
  bool flush_all(FlushCause cause);

  /// True if a message that this core sends or relays has not been passed to the transport yet.
  bool holds_messages() const {
    return has_open() || overflow_entries_ != 0 || parked_.buffer != nullptr || !outgoing_.empty();
  }

  void count_tables() const;  // sets the counters of tables with an entry for each destination

  Inbox& inbox() { return inbox_; }
  Assembly& assembly() { return assembly_; }

 private:
  friend char* make_room(int64_t dest, MessageType& type, TaskScope* scope, size_t bytes,
                         bool may_suspend);
  friend void request_appended();
  friend void flush_to(Core, FlushCause);

  struct Overflow {
    Outbox* outbox;
    bool mixed;
    std::vector<char> runs;
  };
  struct Relayed {
    Buffer* buffer;   // mixed, and not completely relayed
    uint32_t offset;  // of the first run that is not relayed
  };

  Outbox& outbox_to(Core dest) { return *outbox_to_[static_cast<size_t>(dest)]; }
  void add_type(MessageType* type);
  bool open_buffer(Outbox* outbox, bool may_wait, bool relaying);
  bool relay(Relayed* mixed);
  bool relay_outgoing();
  Buffer* relay_parked();
  Buffer* begin_relaying(Buffer* mixed);
  void flush(Outbox* outbox, FlushCause cause);
  void flush_latency_critical();
  void flush_aged();
  bool has_open() const { return open_outboxes_ != 0; }
  std::vector<Outbox*>& open_list_of(const Outbox& outbox) {
    return open_[static_cast<size_t>(outbox.hop)];
  }
  void send_overflow(Hop hop);
  bool receive_one();

  const MessageOptions options_;
  size_t hops_ = 1;  // of the outboxes of this core; lists of further hops are empty
  uint64_t age_limit_ticks_[kHops] = {};
  std::vector<Outbox> outboxes_;
  std::vector<Outbox*> outbox_to_;         // by destination core
  std::vector<Outbox*> open_[kHops];       // outboxes with an open buffer, oldest first
  size_t open_outboxes_ = 0;               // in all lists; each poll reads it
  int64_t unsent_requests_ = 0;            // approximate, since the last flush_latency_critical
  std::deque<Overflow> overflow_[kHops];   // by Hop
  size_t overflow_entries_ = 0;            // in all lists; each poll reads it
  std::vector<Buffer*> overflow_buffers_;  // free heap buffers
  WaitQueue<> buffer_waiters_;
  std::vector<MessageType*> types_;  // types with a table of runs
  Inbox inbox_;
  Relayed parked_ = {nullptr, 0};  // from another locale
  std::deque<Relayed> outgoing_;   // from this locale, for other locales
  Assembly assembly_;
};

/// This core's aggregator. Exists between init and finalize.
extern GRAPPA_CORE_LOCAL(Aggregator*) the_aggregator;

inline Aggregator& aggregator() { return *the_aggregator; }

}}  // namespace Grappa::detail
