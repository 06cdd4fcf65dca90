#pragma once

/// The options of message/, and the functions that choose the routes of messages between locales.

#include "system/base/ids.hpp"
#include "system/base/units.hpp"
#include "system/net/topology.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa { namespace detail {

/// With direct routing, a core fills one buffer for each other core. With two-hop routing, the
/// cores of another locale share one buffer. In that locale, the core with the same local index as
/// the sender receives the buffer and relays the runs for its neighbours.
enum class Routing { Automatic, Direct, TwoHop };

struct MessageOptions {
  Routing routing = Routing::Automatic;

  /// A buffer that has been open for this long is sent at the next poll. An idle core sends its
  /// buffers at once, so this limit matters only while tasks run for a long time.
  int64_t flush_age_us = 100;

  /// Maximum number of buffers executed per poll. A full buffer takes about 20 us. In bench/gups,
  /// the values 1, 4 and 16 gave equal rates.
  int buffers_per_poll = 4;
};

/// Size of the first chunk of a run. Each further chunk is twice as large, up to kRunChunkBytes. A
/// large first chunk wastes space for rare types, and a small maximum adds too many headers.
constexpr size_t kFirstRunChunkBytes = 256;
constexpr size_t kRunChunkBytes = 4 * KiB;

/// A sender prefetches this part of a buffer ahead of the last run, and a receiver prefetches the
/// front of a buffer. To prefetch the first 12 or 16 lines when the buffer is opened is worse: 64
/// reads by one task (bench/delegate) then take 2.0 us instead of 1.7.
constexpr size_t kPrefetchedBytes = 512;
constexpr size_t kPrefetchedOfReceived = 2 * KiB;

/// Number of buffers reserved for relaying runs of other cores. One buffer guarantees progress.
/// With several buffers, one buffer can be filled while another is executed.
constexpr int kRelayBuffers = 4;

/// Maximum number of cores at which Routing::Automatic chooses direct routing. Direct routing needs
/// 4 buffers of 64 KiB per destination. At this limit, the buffers of a core have 64 MiB.
constexpr int kMostCoresDirect = 256;

inline Routing choose_routing(Routing asked, int cores, int locales) {
  if (locales == 1 || locales == cores) return Routing::Direct;  // the same routes without a copy
  if (asked != Routing::Automatic) return asked;
  return cores > kMostCoresDirect ? Routing::TwoHop : Routing::Direct;
}

/// Number of destinations for which a core fills buffers.
inline int outbox_count(Routing routing, const Topology& topology) {
  return routing == Routing::TwoHop ? topology.locale_cores + topology.locales - 1 : topology.cores;
}

/// The core that receives the buffers with messages for `dest`.
inline Core receiver_for(Core dest, Routing routing, const Topology& topology) {
  const Locale locale = topology.locale_of[static_cast<size_t>(dest)];
  if (routing != Routing::TwoHop || locale == topology.mylocale) return dest;
  // Locales may differ in size, so the local index wraps around.
  int there = 0;
  for (const Locale other : topology.locale_of) there += other == locale ? 1 : 0;
  int place = topology.locale_mycore % there;
  int core = 0;
  while (topology.locale_of[static_cast<size_t>(core)] != locale || place-- > 0) ++core;
  return static_cast<Core>(core);
}

}}  // namespace Grappa::detail
