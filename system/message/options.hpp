#pragma once

/// Options of message/. The runtime defines a flag for each option that users may need to change.

#include "system/base/units.hpp"
#include "system/message/routing.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

struct MessageOptions {
  /// The routing of messages between locales.
  Routing routing = Routing::Automatic;

  /// Age limit: a buffer that has been open for this long is sent at the next poll. An idle core
  /// sends its buffers at once, so this limit matters only while tasks run for a long time.
  int64_t flush_age_us = 100;

  /// Maximum number of buffers executed per poll. After the poll, ready workers run again. The
  /// values 1, 4 and 16 made no difference in bench/gups. A full buffer takes about 20 us.
  int buffers_per_poll = 4;
};

/// Size of the first chunk of a run. Each further chunk is twice as large, up to kRunChunkBytes. A
/// buffer contains runs of several closure types. A large first chunk wastes space for rare types,
/// and a small maximum costs too many headers.
constexpr size_t kFirstRunChunkBytes = 256;
constexpr size_t kRunChunkBytes = 4 * KiB;

/// Number of buffers reserved for relaying runs of other cores. One buffer guarantees progress.
/// With several, one can be filled while another is executed.
constexpr int kRelayBuffers = 4;

}  // namespace detail
}  // namespace Grappa
