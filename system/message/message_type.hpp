#pragma once

/// The state of one closure type on this core: the handler, and the open run for each destination.
///
/// There is one static object per closure type and way of sending. Finding the open run of a
/// message is therefore an index operation without a search, and alternating types do not close
/// each other's runs. The object is initialized at compile time. The table is allocated at the
/// first message of the type, which only the core's own thread sends.
///
/// The handler is the receiver's loop over one run, into which the compiler inlines the closure. A
/// closure type may have a member `prefetch() const` that prefetches the memory the closure will
/// access. The loop calls `prefetch` some messages ahead, so random memory accesses overlap.

#include "system/base/core_local.hpp"
#include "system/base/ids.hpp"
#include "system/base/traits.hpp"
#include "system/message/wire.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Grappa {
namespace detail {

/// Prefetch distance in messages. With updates as cheap as in bench/gups, values from 8 to 128
/// perform equally. With more expensive updates, a large value does no harm.
constexpr std::ptrdiff_t kPrefetchAhead = 96;

/// Prefetches for the first messages of a run, then for one more message per executed message. Does
/// nothing if the closure has no member `prefetch`.
template <class F, class = void>
class RunPrefetch {
 public:
  RunPrefetch(const char*, const char*) {}
  void step() {}
};

template <class F>
class RunPrefetch<F, decltype(std::declval<const F&>().prefetch(), void())> {
 public:
  RunPrefetch(const char* first, const char* end) : next_(first), end_(end) {
    const char* ahead = kPrefetchAhead * static_cast<std::ptrdiff_t>(sizeof(F)) < end - first
                            ? first + kPrefetchAhead * static_cast<std::ptrdiff_t>(sizeof(F))
                            : end;
    while (next_ != ahead) advance();
  }
  void step() {
    if (next_ != end_) advance();
  }

 private:
  void advance() {
    reinterpret_cast<const F*>(next_)->prefetch();
    next_ += sizeof(F);
  }

  const char* next_;
  const char* const end_;
};

/// Executes the closures of the run. Each closure is copied first, because a closure that suspends
/// outlives its buffer. `next` is updated before each call, because the closure may suspend;
/// another worker then continues at `next`.
template <class F>
void execute_run(RunCursor* cursor) {
  set_running_body(type_signature<F>());
  const char* at = cursor->next;
  RunPrefetch<F> prefetch(at, cursor->end);
  while (at != cursor->end) {
    prefetch.step();
    F closure(*reinterpret_cast<const F*>(at));
    at += sizeof(F);
    cursor->next = at;
    closure();
  }
}

/// Whether the sender may wait when no buffer is free: only in tasks, or never.
enum class MayWait : uint8_t { InTasks, Never };

/// An open run: a chunk of the destination's open buffer.
struct OpenRun {
  char* cursor = nullptr;       // address of the next payload
  char* limit = nullptr;        // end of the chunk
  TaskScope* scope = nullptr;   // scope of the messages
  RunHeader* header = nullptr;  // null while closed

  size_t room() const { return static_cast<size_t>(limit - cursor); }
};

struct MessageType {
  Handler handler;
  uint16_t stride_bytes;  // 0 if messages have variable length
  Acknowledged acknowledged;
  MayWait may_wait;

  OpenRun* runs;      // by destination; null before the first message
  uint32_t cores;     // length of `runs`; in checked mode 0
  MessageType* next;  // list of the types that have a table

  /// True for requests and replies, because a task waits for them.
  bool latency_critical() const {
    return acknowledged == Acknowledged::ByAnswer || may_wait == MayWait::Never;
  }
};

template <class F, Acknowledged A, MayWait W>
struct TypeOf {
  static GRAPPA_CORE_LOCAL_MEMBER(MessageType) type;
};

template <class F, Acknowledged A, MayWait W>
GRAPPA_CORE_LOCAL_MEMBER(MessageType)
TypeOf<F, A, W>::type = {&execute_run<F>, sizeof(F), A, W, nullptr, 0, nullptr};

}  // namespace detail
}  // namespace Grappa
