#pragma once

/// Which way messages between locales take.
///
/// Directly, a core fills a buffer for each other core: one hop, and memory that grows with the
/// cores of the job. In two hops it fills one for each other locale, whose core at the sender's own
/// place passes on what is for its neighbours: memory grows with locales plus the cores of one, and
/// buffers fill sooner, for one more copy on the way. Within a locale there is no difference.

#include "system/base/ids.hpp"
#include "system/net/topology.hpp"

namespace Grappa {
namespace detail {

enum class Routing { Automatic, Direct, TwoHop };

/// Makes a choice where none was made. Buffers for all cores of a larger job than this would take
/// more memory than messages are worth: 4 for each at 64 KiB, 64 MiB a core.
constexpr int kMostCoresDirect = 256;

inline Routing choose_routing(Routing asked, int cores, int locales) {
  if (locales == 1 || locales == cores) return Routing::Direct;  // the same, without a copy
  if (asked != Routing::Automatic) return asked;
  return cores > kMostCoresDirect ? Routing::TwoHop : Routing::Direct;
}

/// Destinations that a core fills buffers for.
int outbox_count(Routing routing, const Topology& topology);

/// Who gets the buffer in which messages of this core for `dest` travel.
Core receiver_for(Core dest, Routing routing, const Topology& topology);

}  // namespace detail
}  // namespace Grappa
