#pragma once

/// Options of net/. The runtime defines a flag for each option that users may need to change.

#include "system/base/units.hpp"

#include <cstddef>

namespace Grappa { namespace detail {

struct NetOptions {
  /// Includes the header. Networks reach their maximum bandwidth at about this size. (J. Nelson et
  /// al., "Latency-Tolerant Software Distributed Shared Memory", USENIX ATC 2015.)
  size_t buffer_bytes = 64 * KiB;

  /// Number of buffers that a core owns and can have in flight. 0: four per destination, plus 240,
  /// which makes streams fast (BufferPool). Memory is allocated when a buffer is first used.
  int buffers_per_core = 0;

  int destinations = 0;   // for which a core fills buffers concurrently. 0: all cores
  int relay_buffers = 0;  // additional buffers, which only acquire_for_relay() returns

  /// Entries of a ring between two cores of a locale, rounded up to a power of two. 0: the number
  /// of buffers that a core owns, so a ring is never full.
  int ring_entries = 0;

  int posted_receives = 16;  // for messages from other locales

  /// Splits each machine into simulated locales of this many cores, which communicate only through
  /// MPI. 0: one locale per machine.
  int cores_per_locale = 0;
};

}}  // namespace Grappa::detail
