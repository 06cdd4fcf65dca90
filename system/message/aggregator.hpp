#pragma once

/// Gathers this core's messages per destination, and runs what arrives.
///
/// append() is the hot path: find the type's open run, write the closure, move the cursor.
/// Everything else (a run that is full, a buffer that is full, no buffer at all) is in the slow
/// path. No buffer left: a task suspends until one comes back. A handler must not wait, since it
/// would hold up the very buffers that are waited for, nor must an answer or an acknowledgement,
/// which others wait for: they are kept on an overflow list and sent as soon as a buffer of the
/// stock is free. docs/design.md argues why nothing deadlocks.

#include "system/base/bits.hpp"
#include "system/base/compiler.hpp"
#include "system/message/flush_policy.hpp"
#include "system/message/handler.hpp"
#include "system/message/inbox.hpp"
#include "system/message/options.hpp"
#include "system/message/outbox.hpp"
#include "system/net/topology.hpp"
#include "system/tasking/wait_queue.hpp"

#include <cstdint>
#include <deque>
#include <new>
#include <vector>

namespace Grappa {

/// Who waits when no buffer is free.
enum class MayWait { InTasks, Never };

class Aggregator {
 public:
  explicit Aggregator(const MessageOptions& options);
  ~Aggregator();
  Aggregator(const Aggregator&) = delete;
  Aggregator& operator=(const Aggregator&) = delete;

  /// Appends one message. Suspends: in a task, while no buffer is free, unless W is Never.
  template <Acknowledged A, MayWait W = MayWait::InTasks, class F>
  void append(Core dest, uint64_t scope, const F& closure) {
    if (GRAPPA_UNLIKELY(dest < 0 || dest >= cores())) no_such_core(dest);
    const uint32_t type = closure_type<F, A>();
    OpenRun& run = outboxes_[static_cast<size_t>(dest)].run(type);
    char* place = run.cursor;
    if (GRAPPA_UNLIKELY(run.room() < sizeof(F) || run.scope != scope)) {
      place = make_room(dest, RunType{type, sizeof(F), &execute_run<F>, A}, scope, W);
    } else {
      run.cursor += sizeof(F);
    }
    new (place) F(closure);
  }

  /// Receives and runs messages, sends aged buffers. True if anything was received.
  bool poll();

  /// Sends every open buffer. True if there was one.
  bool flush_all(FlushCause cause);

  /// Sends the open buffer for one core, if there is one.
  void flush(Core dest, FlushCause cause);

  /// True if a message of this core has not been handed to the transport yet.
  bool holds_messages() const { return !open_.empty() || !overflow_.empty(); }

  Inbox& inbox() { return inbox_; }

  /// Makes room for closure types up to `count`.
  void grow_types(size_t count);

 private:
  struct Overflow {
    Core dest;
    std::vector<char> runs;
  };

  [[noreturn]] void no_such_core(Core dest) const;
  char* make_room(Core dest, const RunType& type, uint64_t scope, MayWait may_wait);
  bool open_buffer(Core dest, MayWait may_wait);
  Buffer* take_spare();
  void hand_over(Core dest, Buffer* buffer);
  void send_overflow();
  void flush_aged();
  bool in_task() const;

  const MessageOptions options_;
  const uint64_t age_limit_ticks_;
  std::vector<Outbox> outboxes_;  // by destination
  std::vector<Core> open_;        // destinations with an open buffer, oldest first
  std::deque<Overflow> overflow_;
  std::vector<int> overflow_to_;  // by destination: entries of overflow_
  std::vector<Buffer*> spares_;   // buffers from the heap that are not being filled
  WaitQueue buffer_waiters_;
  Inbox inbox_;
};

namespace detail {
extern Aggregator* the_aggregator;
}  // namespace detail

/// This core's aggregator. Exists between init and finalize.
inline Aggregator& aggregator() { return *detail::the_aggregator; }

}  // namespace Grappa
