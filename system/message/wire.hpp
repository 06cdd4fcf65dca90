#pragma once

/// What a buffer holds: runs of messages of one closure type each.
///
///     | RunHeader | payload 0 | payload 1 | ... | unused | RunHeader | payload 0 | ...
///     |<--------- payload_bytes behind it ----->|
///     |<---------------- span_bytes --------------------->|
///
/// Payloads are closures, `stride_bytes` apart, without anything between them: a stream of 16-byte
/// closures costs 16 bytes each. The receiver enters the handler once per run. Headers lie on
/// multiples of kRunAlignment. All cores run the same binary at the same place, so a function's
/// address is its name on every core. Messages with bytes of the sender's own behind the closure
/// have no common stride: each says how long it is (payload.hpp).

#include "system/base/ids.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

constexpr size_t kRunAlignment = 16;

/// The messages of one run that one worker is executing. The handler keeps `next` up to date, so
/// that another worker can take over what is left when a message suspends.
struct RunCursor {
  const char* next;  // the first payload whose execution has not begun
  const char* end;   // lowered to `next` when another worker takes over
  bool pinned;       // the message that runs uses its buffer, so it must not suspend
};

/// Executes the payloads from `next` on.
typedef void (*Handler)(RunCursor*);

/// Who tells the sender's scope that a message has been executed.
enum class Acknowledged : uint8_t {
  Never,     // it belongs to no scope
  ByRun,     // the receiver, for all messages of the run together
  ByAnswer,  // the message itself, with its answer
};

struct alignas(kRunAlignment) RunHeader {
  Handler handler;
  uint64_t scope;  // completion scope of the senders (TaskScope::wire_id), 0 for none
  uint32_t payload_bytes;
  uint32_t span_bytes;    // from this header to the next
  Core source;            // the core that sent it
  Core dest;              // the core that executes it
  uint16_t stride_bytes;  // 0: each payload says how long it is
  Acknowledged acknowledged;

  char* payloads() { return reinterpret_cast<char*>(this + 1); }
  const char* payloads() const { return reinterpret_cast<const char*>(this + 1); }
};

static_assert(sizeof(RunHeader) == 32, "part of the layout drawn above");

}  // namespace detail
}  // namespace Grappa
