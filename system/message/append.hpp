#pragma once

/// Appends messages to the open runs of this core: the part of the aggregator that templates need.
///
/// The fast path writes the closure behind the last message of its type and destination, without a
/// call. Everything else is in Aggregator.

#include "system/base/compiler.hpp"
#include "system/base/ids.hpp"
#include "system/message/closure_check.hpp"
#include "system/message/message_type.hpp"
#include "system/message/wire.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"

#include <cstdint>
#include <new>

namespace Grappa {
namespace detail {

/// An open buffer is sent if the next message does not fit, if the core is idle, if a large part of
/// the core's tasks wait for replies, or if the buffer has reached the age limit.
enum class FlushCause {
  Full,             // the next message does not fit
  Aged,             // the buffer was open for flush_age_us
  LatencyCritical,  // tasks wait for its messages
  Idle,             // no worker of this core is ready
  Asked             // the sender requested the flush because the receiver waits
};

/// True if a buffer opened at `opened_ticks` has reached the age limit at `now_ticks`. If the clock
/// went backwards (on another processor), the unsigned age is huge and the buffer is sent.
inline bool is_aged(uint64_t opened_ticks, uint64_t now_ticks, uint64_t age_limit_ticks) {
  return now_ticks - opened_ticks >= age_limit_ticks;
}

/// True if the requests in open buffers should be sent: more than a quarter of the core's tasks
/// wait for them. The replies then arrive before the remaining tasks have had their turn.
inline bool requests_are_due(int64_t unsent_requests, int64_t live_tasks) {
  return 4 * unsent_requests > live_tasks;
}

/// Callbacks for messages of scopes, set by the layer that implements scopes (parallel/).
struct ScopeHooks {
  /// Called before a run of a scope from `source` is executed. Returns the local part of the scope.
  TaskScope* (*enter)(uint64_t wire_id, Core source) = nullptr;

  /// Called after the run. `executed` of its messages must be acknowledged to `source`.
  void (*leave)(TaskScope* scope, Core source, int64_t executed) = nullptr;

  /// Called before a reply to a request of `caller`. Returns true if the reply must not acknowledge
  /// the request, because the request keeps the scope open for work on this core. In that case this
  /// core acknowledges the request when the work has ended.
  bool (*answer_leaves_work)(TaskScope* scope, Core caller) = nullptr;
};

extern ScopeHooks the_scope_hooks;

inline ScopeHooks& scope_hooks() { return the_scope_hooks; }

/// The storage of a message of `bytes`, of a type whose messages may differ in length. The caller
/// writes the message before it does anything else. Suspends: as append(), before it takes the
/// storage.
char* make_room(int64_t dest, MessageType& type, TaskScope* scope, size_t bytes);

/// To be called after appending a message whose sender waits for the answer: sends the open buffers
/// if a good part of this core's tasks wait by now.
void request_appended();

/// Sends the open buffer that holds messages for `dest`, if there is one.
void flush_to(Core dest, FlushCause cause);

/// The most bytes that a message may have: it fills a buffer.
size_t largest_message();

/// The core that sent the running message, until that message suspends.
extern Core the_sender;

struct NothingToCheck {};
inline void check_closure(const NothingToCheck&) {}

/// append() for a closure that is constructed in place.
template <class F, Acknowledged A, MayWait W, class Body, class... Arguments>
void emplace(const Body& body, int64_t dest, TaskScope* scope, const Arguments&... arguments) {
  MessageType& type = TypeOf<F, A, W>::type;
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

/// Appends a copy of `closure` for core `dest`. It is open work of `scope` from here on if A is
/// ByRun. In checked mode, searches `body`, the closure of the program that the message is made of;
/// messages of the runtime itself have none. A number that is no core's aborts the job. Suspends:
/// in a task, while no buffer is free, or when one has filled up and a poll is due, unless W is
/// Never.
template <Acknowledged A, MayWait W = MayWait::InTasks, class F, class Body = NothingToCheck>
void append(int64_t dest, TaskScope* scope, const F& closure, const Body& body = Body()) {
  emplace<typename WireForm<F>::type, A, W>(body, dest, scope, closure);
}

/// Appends a message that is open work of the caller's scope until its handler has ended.
template <class F, class Body = NothingToCheck>
void send_counted(int64_t dest, const F& closure, const Body& body = Body()) {
  static_assert(WireSafe<F>::value, "");
  append<Acknowledged::ByRun>(dest, current_scope(), closure, body);
}

}  // namespace detail
}  // namespace Grappa
