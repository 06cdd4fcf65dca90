#pragma once

/// Knobs of net/. The runtime defines a flag for those that a user may want to turn.

#include "system/base/ids.hpp"
#include "system/base/units.hpp"

#include <cstddef>

namespace Grappa {
namespace detail {

struct NetOptions {
  /// Bytes of one message buffer, its header included. Networks reach their bandwidth at about this
  /// size. (J. Nelson et al., "Latency-Tolerant Software Distributed Shared Memory", USENIX ATC
  /// 2015.)
  size_t buffer_bytes = 64 * KiB;

  /// Buffers that a core owns and can have on their way at a time. 0: four for each destination,
  /// and 240 more, 16 MiB: so many in turn make streams fast where the way between processors is
  /// long (BufferPool). Memory is taken when a buffer is first used.
  int buffers_per_core = 0;

  /// Destinations that a core fills buffers for at a time. 0: all cores.
  int destinations = 0;

  /// Buffers of the stock, beyond buffers_per_core, that only acquire_for_relay() gives.
  int relay_buffers = 0;

  /// Entries of a hand-over ring between two cores of a locale; rounded up to a power of two.
  /// 0: as many as a core owns buffers, so that a ring is never full.
  int ring_entries = 0;

  /// Receives kept posted for cores of other locales.
  int posted_receives = 16;

  /// Pretends that each machine consists of locales of this many cores, which reach each other
  /// through MPI only. 0: one locale a machine.
  int cores_per_locale = 0;
};

}  // namespace detail
}  // namespace Grappa
