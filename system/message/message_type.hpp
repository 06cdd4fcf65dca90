#pragma once

/// What this core knows of the messages of one closure type: how they are executed, and, for each
/// destination, the run that is open for them.
///
/// One static object for each closure type and way of sending it, so that finding the open run of a
/// message costs an index and no search, and types that alternate do not close each other's runs.
/// It is initialised at compile time; the table comes with the type's first message, which it never
/// does in a thread that is not the core's.

#include "system/base/core_local.hpp"
#include "system/base/ids.hpp"
#include "system/message/handler.hpp"
#include "system/message/wire.hpp"
#include "system/tasking/task_scope.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

/// Who waits when no buffer is free.
enum class MayWait : uint8_t { InTasks, Never };

/// A run that is being filled: a chunk of its destination's open buffer.
struct OpenRun {
  char* cursor = nullptr;       // where the next payload goes
  char* limit = nullptr;        // end of the chunk
  TaskScope* scope = nullptr;   // whose messages these are
  RunHeader* header = nullptr;  // null while closed

  size_t room() const { return static_cast<size_t>(limit - cursor); }
};

struct MessageType {
  Handler handler;
  uint16_t stride_bytes;  // 0 where messages differ in length
  Acknowledged acknowledged;
  MayWait may_wait;

  OpenRun* runs;      // by destination; null before the first message
  uint32_t cores;     // length of `runs`; in checked mode 0
  MessageType* next;  // in the list of those that have a table

  /// Somebody waits for such messages: the answers and what they answer.
  bool awaited() const {
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
