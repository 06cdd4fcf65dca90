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

}  // namespace
