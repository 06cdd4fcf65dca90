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

TEST_P(RoutingIn, ReachesTheDestinationOrItsLocaleInOneHop) {
  for_each_core([](const Topology& topology) {
    for (Core dest = 0; dest < topology.cores; ++dest) {
      EXPECT_EQ(dest, receiver_for(dest, Routing::Direct, topology));
      const Core receiver = receiver_for(dest, Routing::TwoHop, topology);
      ASSERT_TRUE(receiver >= 0 && receiver < topology.cores);
      const Locale locale = topology.locale_of[static_cast<size_t>(dest)];
      EXPECT_EQ(locale, topology.locale_of[static_cast<size_t>(receiver)]);
      if (locale == topology.mylocale) {
        EXPECT_EQ(dest, receiver) << "within a locale there is one hop";
      }
    }
  });
}

TEST_P(RoutingIn, FillsTheReportedNumberOfOutboxes) {
  for_each_core([](const Topology& topology) {
    for (const Routing routing : {Routing::Direct, Routing::TwoHop}) {
      std::set<Core> receivers;
      for (Core dest = 0; dest < topology.cores; ++dest) {
        receivers.insert(receiver_for(dest, routing, topology));
      }
      EXPECT_EQ(static_cast<int>(receivers.size()), outbox_count(routing, topology));
    }
  });
}

TEST_P(RoutingIn, SendsAllMessagesForALocaleToOneCore) {
  for_each_core([](const Topology& topology) {
    std::map<Locale, std::set<Core>> receivers;
    for (Core dest = 0; dest < topology.cores; ++dest) {
      receivers[topology.locale_of[static_cast<size_t>(dest)]].insert(
          receiver_for(dest, Routing::TwoHop, topology));
    }
    for (const auto& entry : receivers) {
      if (entry.first == topology.mylocale) continue;
      EXPECT_EQ(1u, entry.second.size()) << "locale " << entry.first;
    }
  });
}

TEST_P(RoutingIn, DistributesRelayingEvenly) {
  std::map<std::pair<Core, Locale>, int> senders;  // number for each receiver and locale
  std::map<Locale, int> size;
  const std::vector<Locale> locale_of = in_blocks(GetParam());
  for (const Locale locale : locale_of) ++size[locale];
  for (Core me = 0; me < static_cast<Core>(locale_of.size()); ++me) {
    const Topology topology = topology_of(locale_of, me);
    std::set<Core> receivers;
    for (Core dest = 0; dest < topology.cores; ++dest) {
      if (locale_of[static_cast<size_t>(dest)] == topology.mylocale) continue;
      receivers.insert(receiver_for(dest, Routing::TwoHop, topology));
    }
    for (const Core receiver : receivers) ++senders[{receiver, topology.mylocale}];
  }
  for (const auto& entry : senders) {
    const int here = size[locale_of[static_cast<size_t>(entry.first.first)]];
    EXPECT_LE(entry.second, (size[entry.first.second] + here - 1) / here)
        << "core " << entry.first.first << " for locale " << entry.first.second;
  }
}

INSTANTIATE_TEST_SUITE_P(LocaleSizes, RoutingIn,
                         testing::Values(std::vector<int>{1}, std::vector<int>{8},
                                         std::vector<int>{1, 1, 1}, std::vector<int>{4, 4},
                                         std::vector<int>{2, 2, 2, 2}, std::vector<int>{4, 2},
                                         std::vector<int>{2, 4}, std::vector<int>{1, 5, 3},
                                         std::vector<int>{7, 1, 1, 2},
                                         std::vector<int>{16, 16, 16, 9}));

TEST(Routing, WithTwoHopsNeedsBuffersForLocalesAndNeighboursOnly) {
  const std::vector<Locale> locale_of = in_blocks(std::vector<int>(100, 32));
  EXPECT_EQ(3200, outbox_count(Routing::Direct, topology_of(locale_of, 1000)));
  EXPECT_EQ(32 + 99, outbox_count(Routing::TwoHop, topology_of(locale_of, 1000)));
}

TEST(Routing, FollowsTheUserIfTheChoiceMatters) {
  for (const Routing asked : {Routing::Direct, Routing::TwoHop}) {
    EXPECT_EQ(asked, choose_routing(asked, 8, 2));
    EXPECT_EQ(asked, choose_routing(asked, 10000, 100));
  }
}

TEST(Routing, IsDirectIfRelayingWouldOnlyCopy) {
  for (const Routing asked : {Routing::Automatic, Routing::Direct, Routing::TwoHop}) {
    EXPECT_EQ(Routing::Direct, choose_routing(asked, 1, 1));
    EXPECT_EQ(Routing::Direct, choose_routing(asked, 1000, 1)) << "one locale";
    EXPECT_EQ(Routing::Direct, choose_routing(asked, 1000, 1000)) << "one core per locale";
  }
}

TEST(Routing, IsChosenByTheNumberOfCores) {
  EXPECT_EQ(Routing::Direct, choose_routing(Routing::Automatic, kMostCoresDirect, 8));
  EXPECT_EQ(Routing::TwoHop, choose_routing(Routing::Automatic, kMostCoresDirect + 1, 8));
}

}  // namespace
