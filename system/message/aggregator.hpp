#pragma once

/// Gathers this core's messages per destination, and runs what arrives.
///
/// append() is the hot path: find the type's open run, write the closure, move the cursor.
/// Everything else (a run that is full, a buffer that is full, no buffer at all) is in the slow
/// path. No buffer left: a task suspends until one comes back. A handler must not wait, since it
/// would hold up the very buffers that are waited for, nor must an answer or an acknowledgement,
/// which others wait for: they are kept on an overflow list and sent as soon as a buffer of the
/// stock is free. docs/design.md argues why nothing deadlocks.

#include "system/base/compiler.hpp"
#include "system/base/core_local.hpp"
#include "system/message/assembly.hpp"
#include "system/message/closure_check.hpp"
#include "system/message/flush_policy.hpp"
#include "system/message/inbox.hpp"
#include "system/message/message_type.hpp"
#include "system/message/options.hpp"
#include "system/message/outbox.hpp"
#include "system/message/relay.hpp"
#include "system/message/wire_safe.hpp"
#include "system/net/transport.hpp"
#include "system/tasking/wait_queue.hpp"

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

  /// Appends one message of `scope`, which counts it as open work from here on if A is ByRun.
  /// Suspends: in a task, while no buffer is free, and when one is full and the network is due,
  /// unless W is Never. A number that is no core's aborts the job.
  template <Acknowledged A, MayWait W = MayWait::InTasks, class F>
  void append(int64_t dest, TaskScope* scope, const F& closure) {
    emplace<typename detail::WireForm<F>::type, A, W>(dest, scope, closure);
  }

  /// The same, with the closure constructed in its place.
  template <class F, Acknowledged A, MayWait W, class... Arguments>
  void emplace(int64_t dest, TaskScope* scope, const Arguments&... arguments) {
    emplace_checked<F, A, W>(NothingToCheck(), dest, scope, arguments...);
  }

  /// As append(), for a message made of `body`, a closure of the program, which is looked at in
  /// checked mode.
  template <Acknowledged A, class F, class Body>
  void append_checked(const Body& body, int64_t dest, TaskScope* scope, const F& closure) {
    typedef typename detail::WireForm<F>::type Form;
    emplace_checked<Form, A, MayWait::InTasks>(body, dest, scope, closure);
  }

  /// The place for a message of `bytes` of a type whose messages differ in length. It is to be
  /// written before anything else is done. Suspends: as append(), before it takes the place.
  char* make_room(int64_t core, MessageType& type, TaskScope* scope, size_t bytes);

  /// To be called after appending a message whose sender waits for its answer: sends what is open
  /// if a good part of this core's tasks wait by now.
  void request_appended() {
    if (GRAPPA_UNLIKELY(requests_are_due(++unsent_requests_, scheduler().live_tasks()))) {
      flush_awaited();
    }
  }

  /// Receives and runs messages, sends aged buffers. True if anything was received.
  bool poll();

  /// Sends every open buffer. True if there was one.
  bool flush_all(FlushCause cause);

  /// Sends the open buffer by which messages for `dest` go, if there is one.
  void flush(Core dest, FlushCause cause);

  /// True if a message that this core sends or passes on has not been handed to the transport yet.
  bool holds_messages() const {
    return !open_.empty() || !overflow_near_.empty() || !overflow_far_.empty() || relay_.parked();
  }

  /// Bytes that a message may have at most: a buffer of its own.
  size_t largest_message() const { return transport().payload_bytes() - sizeof(RunHeader); }

  Inbox& inbox() { return inbox_; }
  Assembly& assembly() { return assembly_; }

 private:
  friend class Relay;

  struct NothingToCheck {};

  template <class F, Acknowledged A, MayWait W, class Body, class... Arguments>
  void emplace_checked(const Body& body, int64_t dest, TaskScope* scope,
                       const Arguments&... arguments) {
    MessageType& type = detail::TypeOf<F, A, W>::type;
    const uint64_t to = static_cast<uint64_t>(dest);
    // A core of the job, not the type's first message, and not checked mode.
    if (GRAPPA_LIKELY(to < type.cores)) {
      OpenRun& run = type.runs[to];
      if (GRAPPA_LIKELY(run.room() >= sizeof(F) &&
                        (A == Acknowledged::Never || run.scope == scope))) {
        char* place = run.cursor;
        run.cursor = place + sizeof(F);
        new (place) F(arguments...);
        return;
      }
    }
    check_closure(body);
    new (make_room(dest, type, scope, sizeof(F))) F(arguments...);
  }

  struct Overflow {
    Outbox* outbox;
    bool mixed;
    std::vector<char> runs;
  };

  Outbox& outbox_to(Core dest) { return *outbox_to_[static_cast<size_t>(dest)]; }
  void add_type(MessageType* type);
  void wait_for_buffer();
  bool open_buffer(Outbox* outbox, bool may_wait);
  bool relay_run(const RunHeader& run);
  Buffer* take_spare();
  void hand_over(Outbox* outbox, Buffer* buffer);
  void flush(Outbox* outbox, FlushCause cause);
  void flush_awaited();
  void flush_aged();
  void send_overflow(std::deque<Overflow>* list, Buffer* (Transport::*acquire)());
  bool receive_one();
  bool in_task() const;

  const MessageOptions options_;
  const uint64_t age_limit_ticks_;
  std::vector<Outbox> outboxes_;
  std::vector<Outbox*> outbox_to_;      // by destination core
  std::vector<Outbox*> open_;           // with an open buffer, oldest first
  int64_t unsent_requests_ = 0;         // about; since they were last sent together
  std::deque<Overflow> overflow_near_;  // for cores of this locale
  std::deque<Overflow> overflow_far_;   // for others
  std::vector<Buffer*> spares_;         // buffers from the heap that are not being filled
  WaitQueue buffer_waiters_;
  MessageType* types_ = nullptr;  // those that have a table
  Inbox inbox_;
  Relay relay_;
  Assembly assembly_;
};

extern GRAPPA_CORE_LOCAL(Aggregator*) the_aggregator;

/// This core's aggregator. Exists between init and finalize.
inline Aggregator& aggregator() { return *the_aggregator; }

}  // namespace detail
}  // namespace Grappa
