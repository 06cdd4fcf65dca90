#pragma once

/// The state of one closure type on this core: the handler, and the open run for each destination.
///
/// There is one static object per closure type and way of sending. Finding the open run of a
/// message is therefore an index operation without a search, and alternating types do not close
/// each other's runs. The object is initialized at compile time. The table is allocated at the
/// first message of the type, which only the core's own thread sends.

#include "system/base/core_local.hpp"
#include "system/base/ids.hpp"
#include "system/message/handler.hpp"
#include "system/message/wire.hpp"
#include "system/tasking/task_scope.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

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
