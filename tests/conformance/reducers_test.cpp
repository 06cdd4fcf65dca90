/// Reference section "Collectives": reducers, which combine the values of all cores on demand.

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <limits>

namespace {

using namespace Grappa;

Reducer<int64_t, ReducerType::Add> sum;
Reducer<double, ReducerType::Add> real_sum;
Reducer<bool, ReducerType::Or> any;
Reducer<int64_t, ReducerType::Or> any_bits;
Reducer<bool, ReducerType::And> all;
Reducer<int64_t, ReducerType::And> all_bits;
Reducer<int64_t, ReducerType::Max> largest;
Reducer<double, ReducerType::Max> highest;
Reducer<int64_t, ReducerType::Min> smallest;
Reducer<double, ReducerType::Min> lowest;

Core last() { return static_cast<Core>(cores() - 1); }

TEST(Reducer, Add) {
  sum = 100;
  real_sum.reset();
  forall(0, 50, [](int64_t i) {
    sum += i;
    sum++;
    ++sum;
    real_sum += 0.5;
  });
  EXPECT_EQ(100 + 50 * 49 / 2 + 100, sum);
  const double reals = real_sum;
  EXPECT_EQ(25, reals);
  sum.reset();
  EXPECT_EQ(0, sum);
}

TEST(Reducer, Or) {
  any = false;
  any_bits = 1;
  EXPECT_FALSE(any);
  on_all_cores([] {
    any |= mycore() == last();
    any_bits |= int64_t{2} << mycore();
  });
  EXPECT_TRUE(any);
  EXPECT_EQ((int64_t{2} << cores()) - 1, any_bits);
  any_bits.reset();
  EXPECT_EQ(0, any_bits);
}

TEST(Reducer, And) {
  all = true;
  all_bits.reset();
  EXPECT_TRUE(all) << "all values are true";
  EXPECT_EQ(-1, all_bits) << "all bits are set in an empty reducer";
  on_all_cores([] { all_bits &= ~(int64_t{1} << mycore()); });
  EXPECT_EQ(~((int64_t{1} << cores()) - 1), all_bits);
  delegate::call(last(), [] { all &= false; });
  EXPECT_FALSE(all);
}

TEST(Reducer, Max) {
  largest.reset();
  highest.reset();
  EXPECT_EQ(std::numeric_limits<int64_t>::min(), largest);
  forall(0, 40, [](int64_t i) {
    largest << -1000 + i;
    highest << -0.5 * static_cast<double>(i + 1);
  });
  EXPECT_EQ(-961, largest) << "the initial value is not 0";
  EXPECT_EQ(-0.5, highest);
  largest = 12;
  EXPECT_EQ(12, largest);
}

TEST(Reducer, Min) {
  smallest.reset();
  lowest.reset();
  EXPECT_EQ(std::numeric_limits<int64_t>::max(), smallest);
  forall(0, 40, [](int64_t i) {
    smallest << 1000 + i;
    lowest << 0.5 * static_cast<double>(i + 1);
  });
  EXPECT_EQ(1000, smallest) << "the initial value is not 0";
  EXPECT_EQ(0.5, lowest);
  smallest = 12;
  EXPECT_EQ(12, smallest);
}

TEST(Reducer, IsReadOnAnyCore) {
  sum = 0;
  on_all_cores([] { sum += mycore() + 1; });
  for (Core core = 0; core < cores(); ++core) {
    const int64_t total = delegate::call(core, [] {
      const int64_t everything = sum;
      return everything;
    });
    EXPECT_EQ(cores() * (cores() + 1) / 2, total);
  }
}

}  // namespace
