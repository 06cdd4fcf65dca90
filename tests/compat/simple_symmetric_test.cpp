#include <Reducer.hpp>

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

struct Point {
  int x, y;
};

SimpleSymmetric<int64_t> number;
SimpleSymmetric<bool> flag(true);
SimpleSymmetric<Point> point;

TEST(SimpleSymmetric, StartsWithTheDefaultOrTheGivenValue) {
  on_all_cores([] {
    EXPECT_EQ(0, number);
    EXPECT_TRUE(flag);
    EXPECT_EQ(0, point->x);
  });
}

TEST(SimpleSymmetric, IsSetOnAllCoresByAssignment) {
  number = 5;
  flag = false;
  point = Point{1, 2};
  on_all_cores([] {
    EXPECT_EQ(5, number);
    EXPECT_FALSE(flag);
    EXPECT_EQ(2, point->y);
  });
}

TEST(SimpleSymmetric, IsLocalToEachCoreForAllOtherOperations) {
  number = 5;
  flag = false;
  on_all_cores([] {
    number += 2 * mycore();
    ++number;
    number++;
    number.local() *= 10;
    EXPECT_EQ(10 * (7 + 2 * mycore()), number);
    --number;
    EXPECT_EQ(10 * (7 + 2 * mycore()) - 1, number--);
    number |= 3;
    number &= 1;
    number ^= 1;
    number -= 4;
    number *= 2;
    EXPECT_EQ(-8, number);
    number.local() = mycore();
    if (mycore() == 0) flag.local() = true;
  });
  on_all_cores([] {
    EXPECT_EQ(mycore(), number);
    EXPECT_EQ(mycore() == 0, flag.local());
  });
  EXPECT_EQ(int64_t{cores()} * (cores() - 1) / 2,
            (reduce<int64_t, collective_add>(&number.local())));
}

TEST(SimpleSymmetric, MayBeReachedThroughASymmetricAddress) {
  const auto made = symmetric<SimpleSymmetric<int64_t>>(int64_t{4});
  on_all_cores([made] {
    *made += mycore();
    EXPECT_EQ(4 + mycore(), *made);
  });
  *made = 9;
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(9, delegate::call(core, [made] { return made->local(); }));
  }
  global_free(made);
}

SimpleSymmetric<int64_t> level;
SimpleSymmetric<double> ratio(2.5);
struct Box {
  int32_t width, height, depth;
};
SimpleSymmetric<Box> box;

TEST(SimpleSymmetric, OfAnyTypeIsSetOnAllCores) {
  on_all_cores([] { EXPECT_EQ(2.5, ratio); });
  level = 7;
  ratio = 0.25;
  box = Box{1, 2, 3};
  on_all_cores([] {
    EXPECT_EQ(7, level);
    EXPECT_EQ(0.25, ratio.local());
    EXPECT_EQ(3, box->depth);
  });
}

TEST(SimpleSymmetric, OperatorsChangeTheValueOfThisCore) {
  level = 10;
  on_all_cores([] {
    level += mycore();
    ++level;
    level++;
    --level;
    level -= 1;
    EXPECT_EQ(10 + mycore(), level);
    level.local() = 100;
    box->width = 5;
    ratio *= 2;
  });
  on_all_cores([] {
    EXPECT_EQ(100, level);
    EXPECT_EQ(5, box.local().width);
  });
  level = 6;
  level |= 1;
  level &= 5;
  level ^= 15;
  level *= 3;
  level--;
  EXPECT_EQ(29, level);
  const int64_t at_last =
      delegate::call(static_cast<Core>(cores() - 1), [] { return level.local(); });
  EXPECT_EQ(cores() == 1 ? 29 : 6, at_last);
}

}  // namespace
