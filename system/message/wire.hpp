#pragma once

/// The layout of runs in a buffer. A run is a sequence of messages of one closure type.
///
///     | RunHeader | payload 0 | payload 1 | ... | unused | RunHeader | payload 0 | ...
///     |<--------- payload_bytes --------------->|
///     |<---------------- span_bytes --------------------->|
///
/// Each payload is a closure. The closures of a run have the same size, `stride_bytes`, and there
/// are no gaps between them. If bytes follow the closure of a message, the messages of the run may
/// differ in length, and each message stores its length (send.hpp). All cores run the same binary
/// at the same address, so the address of a function identifies it on every core.

#include "system/base/ids.hpp"
#include "system/base/traits.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace Grappa { namespace detail {

constexpr size_t kRunAlignment = 16;

/// The messages of one run that a worker is executing.
struct RunCursor {
  const char* next;  // the next payload to execute
  const char* end;   // end of the payloads; set to `next` if another worker continues the run
  bool pinned;       // the running handler reads its buffer, so the handler must not suspend
  uint32_t messages_with_payload;  // that the handler has begun
};

typedef void (*Handler)(RunCursor*);

/// How an executed message is acknowledged to the scope of the sender: never, together with the
/// other messages of the run, or by the reply.
enum class Acknowledged : uint8_t { Never, ByRun, ByAnswer };

struct alignas(kRunAlignment) RunHeader {
  Handler handler;
  uint64_t scope;  // completion scope of the sending tasks (TaskScope::wire_id), or 0
  uint32_t payload_bytes;
  uint32_t span_bytes;    // distance from this header to the next
  Core source;            // the core that sent the run
  Core dest;              // the core that executes the run
  uint16_t stride_bytes;  // 0: each payload stores its length
  Acknowledged acknowledged;
  bool latency_critical;  // a task waits for one of the messages

  char* payloads() { return reinterpret_cast<char*>(this + 1); }
  const char* payloads() const { return reinterpret_cast<const char*>(this + 1); }
};

static_assert(sizeof(RunHeader) == 32, "must match the layout above");

constexpr size_t kMaxClosureBytes = 8192;  // the largest closure that a message can contain

/// Stores a closure whose alignment exceeds kRunAlignment. operator() calls an aligned copy.
template <class F>
class Unaligned {
 public:
  explicit Unaligned(const F& closure) {
    std::memcpy(bytes_, static_cast<const void*>(&closure), sizeof(F));
  }

  void operator()() {
    alignas(F) unsigned char aligned[sizeof(F)];
    std::memcpy(aligned, bytes_, sizeof(F));
    (*reinterpret_cast<F*>(aligned))();
  }

 private:
  alignas(kRunAlignment) unsigned char bytes_[sizeof(F)];
};

/// The type stored in the buffer for a closure of type F.
template <class F>
struct WireForm : std::conditional<(alignof(F) > kRunAlignment), Unaligned<F>, F> {};

/// The compile-time check that a closure can be sent.
template <class F>
struct WireSafe {
  static_assert(travels<F>::value,
                "this closure is copied to another core bytewise, so all its captures must be "
                "trivially copyable: capture numbers, GlobalAddresses and plain structs by value");
  static_assert(!travels<F>::value || sizeof(F) <= kMaxClosureBytes,
                "this closure is too large for a message (kMaxClosureBytes): keep the data in "
                "global memory and capture its GlobalAddress");
  static constexpr bool value = true;
};

}}  // namespace Grappa::detail
