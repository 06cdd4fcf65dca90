#include "system/message/options.hpp"

#include <algorithm>
#include <cstddef>

namespace Grappa::detail {
namespace {

/// The core at position `index` of a locale. Locales differ in size and number, so the index wraps
/// around.
Core member(const std::vector<Core>& members, int index) {
  return members[static_cast<size_t>(index) % members.size()];
}

}  // namespace

std::vector<FirstHop> first_hops(Routing routing, const Topology& topology) {
  std::vector<std::vector<Core>> members(static_cast<size_t>(topology.locales));
  for (Core core = 0; core < topology.cores; ++core) {
    members[static_cast<size_t>(topology.locale_of[static_cast<size_t>(core)])].push_back(core);
  }
  std::vector<FirstHop> hops;
  for (Core dest = 0; dest < topology.cores; ++dest) {
    const Locale locale = topology.locale_of[static_cast<size_t>(dest)];
    const std::vector<Core>& there = members[static_cast<size_t>(locale)];
    FirstHop first = {dest, Hop::ToDestination};
    if (locale != topology.mylocale && routing == Routing::TwoHop) {
      first = {member(there, topology.locale_mycore), Hop::ToLocale};
    } else if (locale != topology.mylocale && routing == Routing::ThreeHop) {
      const Core gateway = member(topology.locale_members, locale);
      first = gateway == topology.mycore ? FirstHop{member(there, topology.mylocale), Hop::ToLocale}
                                         : FirstHop{gateway, Hop::ToGateway};
    }
    hops.push_back(first);
  }
  return hops;
}

int outbox_count(Routing routing, const Topology& topology) {
  if (routing == Routing::Direct) return topology.cores;
  if (routing == Routing::TwoHop) return topology.locale_cores + topology.locales - 1;
  const int gateways = std::min<int>(topology.locale_cores, topology.locales);
  const int served = (topology.locales + topology.locale_cores - 1) / topology.locale_cores;
  return topology.locale_cores + gateways + served;
}

}  // namespace Grappa::detail
