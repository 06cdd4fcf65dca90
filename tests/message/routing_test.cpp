#include "system/message/options.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

/// The topology of core `me` in a job whose core k belongs to locale locale_of[k].
Topology topology_of(const std::vector<Locale>& locale_of, Core me) {
  Topology topology;
  topology.cores = static_cast<Core>(locale_of.size());
  topology.mycore = me;
  topology.locales = static_cast<Locale>(*std::max_element(locale_of.begin(), locale_of.end()) + 1);
  topology.mylocale = locale_of[static_cast<size_t>(me)];
  topology.locale_of = locale_of;
  for (Core core = 0; core < topology.cores; ++core) {
    if (locale_of[static_cast<size_t>(core)] != topology.mylocale) continue;
    if (core == me) topology.locale_mycore = static_cast<Core>(topology.locale_members.size());
    topology.locale_members.push_back(core);
  }
  topology.locale_cores = static_cast<Core>(topology.locale_members.size());
  return topology;
}

/// Returns the locale of each core, for locales of these sizes. The cores of a locale have
/// consecutive numbers.
std::vector<Locale> in_blocks(const std::vector<int>& sizes) {
  std::vector<Locale> locale_of;
  for (size_t k = 0; k < sizes.size(); ++k) {
    locale_of.insert(locale_of.end(), static_cast<size_t>(sizes[k]), static_cast<Locale>(k));
  }
  return locale_of;
}

/// Returns the locale of each core, for locales of these sizes. Successive cores belong to
/// different locales, until all other locales are full.
std::vector<Locale> in_turns(std::vector<int> sizes) {
  std::vector<Locale> locale_of;
  for (int left = std::accumulate(sizes.begin(), sizes.end(), 0); left > 0;) {
    for (size_t k = 0; k < sizes.size(); ++k) {
      if (sizes[k]-- <= 0) continue;
      locale_of.push_back(static_cast<Locale>(k));
      --left;
    }
  }
  return locale_of;
}

class RoutingIn : public testing::TestWithParam<std::vector<int>> {
 protected:
  template <class F>
  void for_each_core(F body) {
    for (const std::vector<Locale>& locale_of : {in_blocks(GetParam()), in_turns(GetParam())}) {
      for (Core me = 0; me < static_cast<Core>(locale_of.size()); ++me) {
        SCOPED_TRACE(testing::Message() << "core " << me);
        body(topology_of(locale_of, me));
      }
    }
  }
};

/// The cores that a message passes, from the sender to `dest`.
std::vector<Core> path(const std::vector<Locale>& locale_of, Routing routing, Core from,
                       Core dest) {
  std::vector<Core> cores = {from};
  while (cores.back() != dest && cores.size() < 5) {
    cores.push_back(
        first_hops(routing, topology_of(locale_of, cores.back()))[static_cast<size_t>(dest)]
            .receiver);
  }
  return cores;
}

TEST_P(RoutingIn, ReachesTheDestinationInAtMostThreeHopsAndOneBetweenLocales) {
  const std::pair<Routing, size_t> routings[] = {
      {Routing::Direct, 1}, {Routing::TwoHop, 2}, {Routing::ThreeHop, 3}};
  for_each_core([&](const Topology& topology) {
    const auto locale = [&](Core core) { return topology.locale_of[static_cast<size_t>(core)]; };
    for (Core dest = 0; dest < topology.cores; ++dest) {
      if (dest == topology.mycore) continue;
      for (const auto& routing : routings) {
        const std::vector<Core> cores =
            path(topology.locale_of, routing.first, topology.mycore, dest);
        ASSERT_EQ(dest, cores.back());
        const bool near = locale(dest) == topology.mylocale;
        EXPECT_LE(cores.size() - 1, near ? 1 : routing.second);
        int crossings = 0;
        for (size_t k = 1; k < cores.size(); ++k) {
          crossings += locale(cores[k]) != locale(cores[k - 1]) ? 1 : 0;
        }
        EXPECT_EQ(near ? 0 : 1, crossings);
      }
    }
  });
}

TEST_P(RoutingIn, FillsAtMostTheReportedNumberOfOutboxes) {
  for_each_core([](const Topology& topology) {
    for (const Routing routing : {Routing::Direct, Routing::TwoHop, Routing::ThreeHop}) {
      std::set<std::pair<Core, Hop>> outboxes;
      for (const FirstHop& first : first_hops(routing, topology)) {
        outboxes.insert({first.receiver, first.hop});
      }
      const int count = outbox_count(routing, topology);
      EXPECT_LE(static_cast<int>(outboxes.size()), count);
      // The pools of a locale have one layout, so the number is that of any of its cores. This core
      // may not be a gateway, and its own locale needs none.
      const int fewer =
          routing == Routing::ThreeHop ? 3 + topology.locales / topology.locale_cores : 0;
      EXPECT_GE(static_cast<int>(outboxes.size()), count - fewer);
    }
  });
}

TEST_P(RoutingIn, SendsAllMessagesBetweenTwoLocalesToOneCoreOfEach) {
  for_each_core([](const Topology& topology) {
    for (const Routing routing : {Routing::TwoHop, Routing::ThreeHop}) {
      const std::vector<FirstHop> hops = first_hops(routing, topology);
      std::map<Locale, std::set<Core>> receivers;
      for (Core dest = 0; dest < topology.cores; ++dest) {
        receivers[topology.locale_of[static_cast<size_t>(dest)]].insert(
            hops[static_cast<size_t>(dest)].receiver);
      }
      for (const auto& entry : receivers) {
        if (entry.first == topology.mylocale) continue;
        EXPECT_EQ(1u, entry.second.size()) << "locale " << entry.first;
      }
    }
  });
}

TEST_P(RoutingIn, DistributesRelayingEvenly) {
  const std::vector<Locale> locale_of = in_blocks(GetParam());
  std::map<Locale, int> size;
  for (const Locale locale : locale_of) ++size[locale];
  // With two hops, the senders for each receiver and locale. With three hops, the locales from
  // which a core receives, and those to which it sends as a gateway.
  std::map<std::pair<Core, Locale>, int> senders;
  std::map<Core, std::set<Locale>> sources, served;
  for (Core me = 0; me < static_cast<Core>(locale_of.size()); ++me) {
    const Topology topology = topology_of(locale_of, me);
    std::set<Core> receivers;
    const std::vector<FirstHop> two = first_hops(Routing::TwoHop, topology);
    const std::vector<FirstHop> three = first_hops(Routing::ThreeHop, topology);
    for (size_t dest = 0; dest < locale_of.size(); ++dest) {
      if (locale_of[dest] == topology.mylocale) continue;
      receivers.insert(two[dest].receiver);
      if (three[dest].hop != Hop::ToLocale) continue;
      sources[three[dest].receiver].insert(topology.mylocale);
      served[me].insert(locale_of[dest]);
    }
    for (const Core receiver : receivers) ++senders[{receiver, topology.mylocale}];
  }
  for (const auto& entry : senders) {
    const int here = size[locale_of[static_cast<size_t>(entry.first.first)]];
    EXPECT_LE(entry.second, (size[entry.first.second] + here - 1) / here)
        << "core " << entry.first.first << " for locale " << entry.first.second;
  }
  const int locales = static_cast<int>(size.size());
  for (const auto* relays : {&sources, &served}) {
    for (const auto& entry : *relays) {
      const int here = size[locale_of[static_cast<size_t>(entry.first)]];
      EXPECT_LE(static_cast<int>(entry.second.size()), (locales + here - 1) / here)
          << "core " << entry.first;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(LocaleSizes, RoutingIn,
                         testing::Values(std::vector<int>{1}, std::vector<int>{8},
                                         std::vector<int>{1, 1, 1}, std::vector<int>{4, 4},
                                         std::vector<int>{2, 2, 2, 2}, std::vector<int>{4, 2},
                                         std::vector<int>{2, 4}, std::vector<int>{1, 5, 3},
                                         std::vector<int>{7, 1, 1, 2},
                                         std::vector<int>{16, 16, 16, 9}));

TEST(Routing, WithRelaysNeedsBuffersForLocalesAndNeighboursOnly) {
  const std::vector<Locale> locale_of = in_blocks(std::vector<int>(100, 32));
  EXPECT_EQ(3200, outbox_count(Routing::Direct, topology_of(locale_of, 1000)));
  EXPECT_EQ(32 + 99, outbox_count(Routing::TwoHop, topology_of(locale_of, 1000)));
  EXPECT_EQ(32 + 32 + 4, outbox_count(Routing::ThreeHop, topology_of(locale_of, 1000)));
}

TEST(Routing, FollowsTheUserIfTheChoiceMatters) {
  for (const Routing asked : {Routing::Direct, Routing::TwoHop, Routing::ThreeHop}) {
    EXPECT_EQ(asked, choose_routing(asked, 8, 2));
    EXPECT_EQ(asked, choose_routing(asked, 10000, 100));
  }
}

TEST(Routing, IsDirectIfRelayingWouldOnlyCopy) {
  for (const Routing asked :
       {Routing::Automatic, Routing::Direct, Routing::TwoHop, Routing::ThreeHop}) {
    EXPECT_EQ(Routing::Direct, choose_routing(asked, 1, 1));
    EXPECT_EQ(Routing::Direct, choose_routing(asked, 1000, 1)) << "one locale";
    EXPECT_EQ(Routing::Direct, choose_routing(asked, 1000, 1000)) << "one core per locale";
  }
}

TEST(Routing, IsChosenByTheNumberOfCores) {
  EXPECT_EQ(Routing::Direct, choose_routing(Routing::Automatic, kMostCoresDirect, 8));
  EXPECT_EQ(Routing::ThreeHop, choose_routing(Routing::Automatic, kMostCoresDirect + 1, 13));
  EXPECT_EQ(Routing::ThreeHop, choose_routing(Routing::Automatic, 1024, 64));
  EXPECT_EQ(Routing::ThreeHop, choose_routing(Routing::Automatic, 400, 20));
  EXPECT_EQ(Routing::TwoHop, choose_routing(Routing::Automatic, 128, 8))
      << "8 of 16 cores would relay everything";
}

}  // namespace
