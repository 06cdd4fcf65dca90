#pragma once

/// Passes on runs that a core of another locale has sent to this core for others of its locale.
///
/// With two-hop routing a core fills one buffer for each other locale, and hands it to the core of
/// that locale whose place is its own: the buffer is *mixed*. What is for others there is copied,
/// run by run, into the outboxes that also take this core's own messages to them. No buffer free:
/// the mixed buffer is parked, and no other is taken from other locales until it has been passed
/// on. Buffers for passing on are kept in reserve (NetOptions::relay_buffers) and only go to cores
/// of this locale, which execute without waiting, so they always come back.

#include "system/net/buffer.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class Relay {
 public:
  /// Passes on all runs of `buffer` that are not for this core, or parks it. True if it is not
  /// parked, and may be executed.
  bool pass_on(Buffer* buffer);

  bool parked() const { return buffer_ != nullptr; }

  /// Tries again. The buffer if it is done, null if it stays parked.
  Buffer* retry();

 private:
  Buffer* buffer_ = nullptr;
  uint32_t run_offset_ = 0;  // of the first run that has not been looked at
};

}  // namespace detail
}  // namespace Grappa
