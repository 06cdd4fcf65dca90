#pragma once

/// Routing of messages between locales.
///
/// With direct routing, a core fills a buffer for each other core. Messages take one hop, and
/// memory grows with the number of cores. With two-hop routing, a core fills a buffer for each
/// other locale. The core of that locale with the same local index relays the runs for its
/// neighbours. Memory then grows with the number of locales plus the cores per locale, and buffers
/// fill sooner, but relayed messages are copied once more. Within a locale, routing has no effect.

#include "system/base/ids.hpp"
#include "system/net/topology.hpp"

namespace Grappa {
namespace detail {

enum class Routing { Automatic, Direct, TwoHop };

/// Maximum number of cores for direct routing if the user has made no choice. Direct routing needs
/// 4 buffers of 64 KiB per destination, which are 64 MiB per core at this limit.
constexpr int kMostCoresDirect = 256;

inline Routing choose_routing(Routing asked, int cores, int locales) {
  if (locales == 1 || locales == cores) return Routing::Direct;  // equivalent, without a copy
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

}  // namespace detail
}  // namespace Grappa
