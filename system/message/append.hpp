#pragma once

/// Appends messages to the open runs of this core (docs/design.md, What travels). Templates need
/// only this part of the aggregator. Each closure type and way of sending has one static
/// MessageType, which holds a table of open runs by destination. The fast path writes the closure
/// after the last message of its type and destination, without a function call.
///
/// The handler of a run is the receiver's loop, into which the compiler inlines the closure. A
/// closure type may have a member `prefetch() const` that prefetches the memory of the closure's
/// accesses. The loop calls this member some messages ahead.

#include "system/base/compiler.hpp"
#include "system/base/core_local.hpp"
#include "system/base/ids.hpp"
#include "system/base/traits.hpp"
#include "system/message/closure_check.hpp"
#include "system/message/wire.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace Grappa { namespace detail {

/// Prefetch distance in messages. With updates as cheap as in bench/gups, values from 8 to 128
/// perform equally. With more expensive updates, a large value does no harm.
constexpr std::ptrdiff_t kPrefetchAhead = 96;

/// Calls the closure's member `prefetch`. The value is false if there is no such member.
template <class F, class = void>
struct Prefetch : std::false_type {
  static void call(const char*) {}
};
template <class F>
struct Prefetch<F, decltype(std::declval<const F&>().prefetch(), void())> : std::true_type {
  static void call(const char* closure) { reinterpret_cast<const F*>(closure)->prefetch(); }
};

/// If a closure suspends, another worker continues the run at `next` and may release the buffer.
/// The loop therefore copies each closure and updates `next` before each call.
template <class F>
void execute_run(RunCursor* cursor) {
  constexpr std::ptrdiff_t kBytesAhead = kPrefetchAhead * static_cast<std::ptrdiff_t>(sizeof(F));
  set_running_body(type_signature<F>());
  const char* at = cursor->next;
  const char* const end = cursor->end;
  const char* ahead = at;  // the next closure to prefetch
  if (Prefetch<F>::value) {
    const char* const first_end = kBytesAhead < end - at ? at + kBytesAhead : end;
    for (; ahead != first_end; ahead += sizeof(F)) Prefetch<F>::call(ahead);
  }
  while (at != cursor->end) {
    if (Prefetch<F>::value && ahead != end) {
      Prefetch<F>::call(ahead);
      ahead += sizeof(F);
    }
    F closure(*reinterpret_cast<const F*>(at));
    at += sizeof(F);
    cursor->next = at;
    closure();
  }
}

/// States whether the sender may wait for a free buffer: in tasks, or never. NeverButDeferrable:
/// also never, but if another core relays the message, the message is not latency-critical.
enum class MayWait : uint8_t { InTasks, Never, NeverButDeferrable };

/// An open run: a chunk of the destination's open buffer.
struct OpenRun {
  char* cursor = nullptr;       // address of the next payload
  char* limit = nullptr;        // end of the chunk
  TaskScope* scope = nullptr;   // scope of the messages
  RunHeader* header = nullptr;  // null if the run is closed

  size_t room() const { return static_cast<size_t>(limit - cursor); }
};

/// The state of one closure type on this core.
struct MessageType {
  Handler handler;
  uint16_t stride_bytes;  // 0 if messages have variable length
  Acknowledged acknowledged;
  MayWait may_wait;

  OpenRun* runs;   // by destination; null before the first message
  uint32_t cores;  // length of `runs`, or 0 in checked mode

  /// True for requests and replies, because a task waits for them.
  bool latency_critical(bool relayed) const {
    return acknowledged == Acknowledged::ByAnswer || may_wait == MayWait::Never ||
           (may_wait == MayWait::NeverButDeferrable && !relayed);
  }
};

template <class F, Acknowledged A, MayWait W>
struct TypeOf {
  static GRAPPA_CORE_LOCAL_MEMBER(MessageType) type;
};

template <class F, Acknowledged A, MayWait W>
GRAPPA_CORE_LOCAL_MEMBER(MessageType)
TypeOf<F, A, W>::type = {&execute_run<F>, sizeof(F), A, W, nullptr, 0};

/// The reason why an open buffer is sent. The counters in aggregator.cpp describe the reasons.
enum class FlushCause { Full, Aged, LatencyCritical, Idle, Asked };

/// True if a buffer opened at `opened_ticks` has reached the age limit at `now_ticks`. If the clock
/// went backwards (on another processor), the unsigned age is huge and the buffer is sent.
inline bool is_aged(uint64_t opened_ticks, uint64_t now_ticks, uint64_t age_limit_ticks) {
  return now_ticks - opened_ticks >= age_limit_ticks;
}

/// True if more than a quarter of the core's tasks wait for requests in open buffers. If these
/// buffers are sent now, the replies arrive before the other tasks have run.
inline bool requests_are_due(int64_t unsent_requests, int64_t live_tasks) {
  return 4 * unsent_requests > live_tasks;
}

/// Callbacks for messages that belong to scopes. The module parallel/ sets the callbacks.
struct ScopeHooks {
  /// Called before this core executes a run of `source`. Returns the local part of the run's scope.
  TaskScope* (*enter)(uint64_t wire_id, Core source) = nullptr;
  /// Called after the run. `executed` is the number of messages to acknowledge to `source`. If the
  /// messages have payloads, it is their number of bytes.
  void (*leave)(TaskScope* scope, Core source, int64_t executed) = nullptr;
  /// Called before this core replies to a request of `caller`. Returns true if the request has
  /// started work that has not ended. The reply then must not acknowledge the request, because this
  /// core acknowledges the request when that work has ended.
  bool (*answer_leaves_work)(TaskScope* scope, Core caller) = nullptr;
};

extern ScopeHooks the_scope_hooks;

inline ScopeHooks& scope_hooks() { return the_scope_hooks; }

/// Returns the storage of a message. The caller must write the message before it calls any other
/// function. Suspends: as append(). The suspension precedes the allocation of the storage.
/// If not `may_suspend`, the function returns null where it would suspend.
char* make_room(int64_t dest, MessageType& type, TaskScope* scope, size_t bytes,
                bool may_suspend = true);

/// Call this after appending a request. Sends latency-critical buffers if requests_are_due().
void request_appended();

/// Sends the open buffer that holds messages for `dest`, if there is one.
void flush_to(Core dest, FlushCause cause);

size_t largest_message();  // in bytes; a message of this size fills a buffer

/// The core that sent the running message, until that message suspends.
extern Core the_sender;

struct NothingToCheck {};

/// Like append(), but constructs the closure in the buffer from `arguments`.
template <class F, Acknowledged A, MayWait W, class Body, class... Arguments>
void emplace(const Body& body, int64_t dest, TaskScope* scope, const Arguments&... arguments) {
  MessageType& type = TypeOf<F, A, W>::type;
  const uint64_t to = static_cast<uint64_t>(dest);
  if (GRAPPA_LIKELY(to < type.cores)) {  // false for a type's first message, and in checked mode
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

/// Appends a copy of `closure` for core `dest`. If A is ByRun, the message is open work of `scope`.
/// `body` is the closure of the program, which checked mode searches for addresses. An invalid core
/// number aborts the job. Suspends: as send_message(). If W is Never, append() does not suspend.
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

}}  // namespace Grappa::detail
