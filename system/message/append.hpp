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

template <class F, Acknowledged A, MayWait W, class Body, class... Arguments>
void emplace_checked(const Body& body, int64_t dest, TaskScope* scope,
                     const Arguments&... arguments) {
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

/// Appends one message for core `dest`, constructed in place. It is open work of `scope` from here
/// on if A is ByRun. A number that is no core's aborts the job. Suspends: in a task, while no
/// buffer is free, or when one has filled up and a poll is due, unless W is Never.
template <class F, Acknowledged A, MayWait W, class... Arguments>
void emplace(int64_t dest, TaskScope* scope, const Arguments&... arguments) {
  emplace_checked<F, A, W>(NothingToCheck(), dest, scope, arguments...);
}

/// The same with a copy of `closure`.
template <Acknowledged A, MayWait W = MayWait::InTasks, class F>
void append(int64_t dest, TaskScope* scope, const F& closure) {
  emplace<typename WireForm<F>::type, A, W>(dest, scope, closure);
}

/// The same for a message made of `body`, a closure of the program, which checked mode searches.
template <Acknowledged A, class F, class Body>
void append_checked(const Body& body, int64_t dest, TaskScope* scope, const F& closure) {
  emplace_checked<typename WireForm<F>::type, A, MayWait::InTasks>(body, dest, scope, closure);
}

/// Appends a message that is open work of the caller's scope until its handler has ended. For
/// closures of the runtime: they are not checked.
template <class F>
void send_counted(int64_t dest, const F& body) {
  static_assert(WireSafe<F>::value, "");
  append<Acknowledged::ByRun>(dest, current_scope(), body);
}

/// The same for a message made of `body`, a closure of the program.
template <class F, class Body>
void send_counted(int64_t dest, const F& message, const Body& body) {
  static_assert(WireSafe<F>::value, "");
  append_checked<Acknowledged::ByRun>(body, dest, current_scope(), message);
}

}  // namespace detail
}  // namespace Grappa
