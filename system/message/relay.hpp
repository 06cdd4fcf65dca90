#pragma once

/// Relays runs that other locales have sent to this core for other cores of its locale.
///
/// With two-hop routing, a core fills one buffer for each other locale, and sends it to the core of
/// that locale with the same local index. Such a buffer is *mixed*. The receiver copies each run
/// for another core into the outbox for that core, which also carries the receiver's own messages.
/// If no buffer is free, the mixed buffer is parked. While a buffer is parked, no other buffer is
/// received from other locales. Some buffers are reserved for relaying (NetOptions::relay_buffers).
/// Reserved buffers are sent only to cores of this locale. Those cores execute messages without
/// waiting, so reserved buffers are always returned.

#include "system/net/buffer.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class Relay {
 public:
  /// Relays all runs of `buffer` that are not for this core. If that is not possible now, parks the
  /// buffer. Returns true if the buffer is not parked and may be executed.
  bool pass_on(Buffer* buffer);

  bool parked() const { return buffer_ != nullptr; }

  /// Retries the parked buffer. Returns it if all its runs are relayed, or null if it stays parked.
  Buffer* retry();

 private:
  Buffer* buffer_ = nullptr;
  uint32_t run_offset_ = 0;  // offset of the first unprocessed run
};

}  // namespace detail
}  // namespace Grappa
