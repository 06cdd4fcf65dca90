#include "system/net/topology.hpp"

#include "tests/harness/in_step.hpp"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

class TopologyOf : public testing::TestWithParam<int> {
 protected:
  TopologyOf() { detail::the_topology = detail::world().discover_topology(GetParam()); }
  ~TopologyOf() { detail::the_topology = detail::world().discover_topology(0); }

  void SetUp() override {
    if (!can_pretend(GetParam())) GTEST_SKIP() << "locales are pretended only in the MPI world";
  }

  /// In these tests, all cores of the job are on one machine.
  int cores_per_locale() const {
    return GetParam() == 0 ? cores() : std::min<int>(GetParam(), cores());
  }
};

TEST_P(TopologyOf, NumbersTheCoresAsTheWorldDoes) {
  const Core me = mycore();
  const std::vector<char> all = detail::world().all_gather(&me, sizeof me);
  EXPECT_EQ(all.size(), sizeof(Core) * static_cast<size_t>(cores()));
  for (Core core = 0; core < cores(); ++core) {
    Core there;
    std::memcpy(&there, all.data() + static_cast<size_t>(core) * sizeof there, sizeof there);
    EXPECT_EQ(there, core);
  }
}

TEST_P(TopologyOf, FillsLocalesInTheOrderOfTheCores) {
  EXPECT_EQ(locales(), (cores() + cores_per_locale() - 1) / cores_per_locale());
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(locale_of(core), core / cores_per_locale()) << "core " << core;
  }
}

TEST_P(TopologyOf, PlacesThisCoreInItsLocale) {
  EXPECT_EQ(mylocale(), mycore() / cores_per_locale());
  EXPECT_EQ(locale_mycore(), mycore() % cores_per_locale());
  EXPECT_EQ(locale_mycore() < locale_cores(), true);
}

TEST_P(TopologyOf, ListsTheMembersOfThisLocale) {
  std::vector<Core> members;
  for (Core core = 0; core < cores(); ++core) {
    if (locale_of(core) == mylocale()) members.push_back(core);
  }
  EXPECT_EQ(topology().locale_members, members);
  EXPECT_EQ(locale_cores(), static_cast<Core>(members.size()));
}

TEST_P(TopologyOf, CountsTheMachinesCoresWithSimulatedLocales) {
  EXPECT_EQ(topology().machine_cores, cores());
  EXPECT_EQ(topology().machine_first, 0);
}

INSTANTIATE_TEST_SUITE_P(CoresPerLocale, TopologyOf, testing::Values(0, 1, 2, 3, 100));

}  // namespace
}  // namespace Grappa
