#include <Reducer.hpp>

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <limits>

namespace {

using namespace Grappa;

AllReducer<int64_t, collective_max> longest(std::numeric_limits<int64_t>::min());

TEST(AllReducer, GivesAllCoresTheResult) {
  on_all_cores([] {
    for (int64_t turn = 0; turn < 20; ++turn) {
      longest.reset();
      longest.accumulate(-100 - mycore() - turn);
      longest.accumulate(-200);
      EXPECT_EQ(-100 - turn, longest.finish());
      EXPECT_EQ(-100 - turn, longest.finish()) << "again, without the other cores";
    }
  });
}

TEST(AllReducer, MayBeLocalToTheTasks) {
  on_all_cores([] {
    AllReducer<double, collective_add> mean(0);
    for (int k = 0; k < 4; ++k) mean.accumulate(k);
    EXPECT_EQ(6.0 * cores(), mean.finish());
  });
}

TEST(AllReducer, AccumulateAndFinish) {
  on_all_cores([] {
    AllReducer<int64_t, collective_add> total(0);
    AllReducer<int64_t, collective_max> most(-100);
    AllReducer<double, collective_min> least(1e9);
    for (int round = 0; round < 3; ++round) {
      total.reset();
      most.reset();
      least.reset();
      for (int k = 0; k <= mycore(); ++k) {
        total.accumulate(1);
        most.accumulate(k - 50);
        least.accumulate(0.5 + mycore());
      }
      EXPECT_EQ(cores() * (cores() + 1) / 2, total.finish());
      EXPECT_EQ(cores() - 51, most.finish());
      EXPECT_EQ(0.5, least.finish());
    }
  });
}

}  // namespace
