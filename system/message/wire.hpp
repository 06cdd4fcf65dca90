#pragma once

/// The layout of runs in a buffer. A run is a sequence of messages of one closure type.
///
///     | RunHeader | payload 0 | payload 1 | ... | unused | RunHeader | payload 0 | ...
///     |<--------- payload_bytes behind it ----->|
///     |<---------------- span_bytes --------------------->|
///
/// Payloads are closures, `stride_bytes` apart, without gaps. Messages with a payload after the
/// closure have no common stride, so each stores its length (send.hpp). All cores run the same
/// binary at the same address, so the address of a function identifies it on every core.

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
  const char* end;   // set to `next` when another worker takes over
  bool pinned;       // the running message uses its buffer, so it must not suspend
};

typedef void (*Handler)(RunCursor*);

/// How the execution of a message is acknowledged to the sender's scope, if there is one: together
/// with all messages of the run, or by the reply.
enum class Acknowledged : uint8_t { Never, ByRun, ByAnswer };

struct alignas(kRunAlignment) RunHeader {
  Handler handler;
  uint64_t scope;  // completion scope of the senders (TaskScope::wire_id), 0 for none
  uint32_t payload_bytes;
  uint32_t span_bytes;    // distance from this header to the next
  Core source;            // the core that sent it
  Core dest;              // the core that executes it
  uint16_t stride_bytes;  // 0: each payload stores its length
  Acknowledged acknowledged;

  char* payloads() { return reinterpret_cast<char*>(this + 1); }
  const char* payloads() const { return reinterpret_cast<const char*>(this + 1); }
};

static_assert(sizeof(RunHeader) == 32, "must match the layout above");

constexpr size_t kMaxClosureBytes = 8192;  // of a closure that is sent as a message

/// Stores a closure whose alignment is larger than that of messages. The call uses an aligned copy.
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
