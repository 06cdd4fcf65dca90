#pragma once

/// Options of net/. The runtime defines a flag for each option that users may need to change.

#include "system/base/units.hpp"

#include <cstddef>

namespace Grappa { namespace detail {

struct NetOptions {
  /// The size of a buffer with its header. Networks reach their full bandwidth at about this size.
  /// (J. Nelson et al., "Latency-Tolerant Software Distributed Shared Memory", USENIX ATC 2015.)
  size_t buffer_bytes = 64 * KiB;

  /// Number of buffers that a core owns and can have in flight. 0: four per destination, plus 240
  /// that make streams fast (BufferPool). The memory of a buffer is allocated at its first use.
  int buffers_per_core = 0;

  int destinations = 0;     // maximum number of destinations with an open buffer. 0: all cores
  int relay_buffers = 0;    // additional buffers, which only acquire_for_relay() returns
  int gateway_buffers = 0;  // additional buffers, for acquire_for_gateway() and acquire_for_relay()

  /// Entries of a ring between two cores of a locale, rounded up to a power of two. 0: the number
  /// of buffers that a core owns, so a ring is never full.
  int ring_entries = 0;

  int posted_receives = 16;  // for messages from other locales

  /// Splits each machine into simulated locales of this many cores. Simulated locales communicate
  /// only through MPI. 0: one locale per machine.
  int cores_per_locale = 0;
};

}}  // namespace Grappa::detail
