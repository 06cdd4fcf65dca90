#pragma once

/// Knobs of message/. The runtime defines a flag for those that a user may want to turn.

#include "system/base/units.hpp"
#include "system/message/routing.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

struct MessageOptions {
  /// Which way messages between locales take.
  Routing routing = Routing::Automatic;

  /// A buffer that has been open for this long is sent at the next poll, full or not. A core with
  /// nothing to run sends at once; this bounds what a message waits for behind long-running tasks.
  int64_t flush_age_us = 100;

  /// Buffers executed in one poll before ready workers get their turn again. 1, 4 and 16 of them
  /// made no difference to bench/gups; a full one takes some 20 us.
  int buffers_per_poll = 4;
};

/// Part of a buffer that a run opens with, and doubles up to kRunChunkBytes each time it is used
/// up. Runs of several closure types lie side by side in a buffer; a large first chunk wastes what
/// a rare type does not fill, a small last one costs a header too often.
constexpr size_t kFirstRunChunkBytes = 256;
constexpr size_t kRunChunkBytes = 4 * KiB;

/// Buffers that a core keeps for passing on what others have sent through it. One is enough to get
/// on; with some more the next can be filled while the last is being executed.
constexpr int kRelayBuffers = 4;

/// The largest closure that can be sent as a message.
constexpr size_t kMaxClosureBytes = 8 * KiB;

}  // namespace detail
}  // namespace Grappa
