#pragma once

/// Appends messages to the open runs of this core: the part of the aggregator that templates need.
///
/// The fast path writes the closure behind the last message of its type and destination, without a
/// call. Everything else is in Aggregator.

#include "system/base/compiler.hpp"
#include "system/message/closure_check.hpp"
#include "system/message/flush_policy.hpp"
#include "system/message/message_type.hpp"
#include "system/message/wire.hpp"
#include "system/tasking/suspend.hpp"

#include <cstdint>
#include <new>

namespace Grappa {
namespace detail {

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
