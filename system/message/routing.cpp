#include "system/message/routing.hpp"

namespace Grappa {
namespace detail {

int outbox_count(Routing routing, const Topology& topology) {
  return routing == Routing::TwoHop ? topology.locale_cores + topology.locales - 1 : topology.cores;
}

Core receiver_for(Core dest, Routing routing, const Topology& topology) {
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
