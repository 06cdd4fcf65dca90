#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>

namespace {

using namespace Grappa;

Reducer<int64_t, ReducerType::Add> sum;
Reducer<double, ReducerType::Add> weight;
Reducer<uint8_t, ReducerType::Or> any_bits;
Reducer<bool, ReducerType::Or> any;
Reducer<uint64_t, ReducerType::And> all_bits;
Reducer<int, ReducerType::And> all_signed_bits;
Reducer<bool, ReducerType::And> all;
Reducer<int64_t, ReducerType::Max> largest;
Reducer<int64_t, ReducerType::Min> smallest;
Reducer<double, ReducerType::Max> highest;
Reducer<double, ReducerType::Min> lowest;

TEST(Reducer, StartsWithTheIdentity) {
  EXPECT_EQ(0, sum);
  EXPECT_EQ(0, any_bits);
  EXPECT_FALSE(any);
  EXPECT_EQ(~uint64_t{0}, all_bits);
  EXPECT_EQ(-1, all_signed_bits);
  EXPECT_TRUE(all);
  EXPECT_EQ(std::numeric_limits<int64_t>::min(), largest);
  EXPECT_EQ(std::numeric_limits<int64_t>::max(), smallest);
  EXPECT_EQ(-std::numeric_limits<double>::infinity(), highest);
  EXPECT_EQ(std::numeric_limits<double>::infinity(), lowest);
}

TEST(Reducer, AddsTheValuesOfAllCores) {
  sum = 0;
  weight = 0;
  on_all_cores([] {
    sum += 10;
    ++sum;
    sum++;
    (weight += 0.25) += 0.25;
  });
  EXPECT_EQ(12 * cores(), sum);
  EXPECT_EQ(0.5 * cores(), weight);
  sum += 1;
  EXPECT_EQ(12 * cores() + 1, sum) << "reading changes nothing";
}

TEST(Reducer, CountsInTasksOfALoop) {
  sum = 0;
  auto words = global_alloc<int64_t>(1000);
  forall(words, 1000, [](int64_t k, int64_t& word) { word = k; });
  forall(words, 1000, [](int64_t& word) { sum += word; });
  EXPECT_EQ(1000 * 999 / 2, sum);
  global_free(words);
}

TEST(Reducer, OfTypeAndIsCorrectForOnes) {
  all = true;
  all_bits.reset();
  on_all_cores([] {
    all &= true;
    all_bits &= 0xf0u | 1u << mycore();
  });
  EXPECT_TRUE(all) << "bool() is false and takes no part";
  EXPECT_EQ(cores() == 1 ? 0xf1u : 0xf0u, all_bits);
  on_all_cores([] { all &= mycore() != cores() - 1; });
  EXPECT_FALSE(all);
}

TEST(Reducer, OfTypeOrCombinesBits) {
  any = false;
  any_bits = 0x80;
  on_all_cores([] {
    any |= mycore() == cores() - 1;
    any_bits |= static_cast<uint8_t>(1 << mycore() % 4);
  });
  EXPECT_TRUE(any);
  EXPECT_EQ(0x80 | ((1 << (cores() < 4 ? cores() : 4)) - 1), any_bits);
}

TEST(Reducer, OfTypeMaxIsCorrectForNegativeNumbers) {
  largest.reset();
  highest.reset();
  on_all_cores([] {
    largest << -20 - mycore() << -30;
    highest << -0.5 - mycore();
  });
  EXPECT_EQ(-20, largest);
  EXPECT_EQ(-0.5, highest);
}

TEST(Reducer, OfTypeMinIsCorrectForPositiveNumbers) {
  smallest.reset();
  lowest.reset();
  on_all_cores([] {
    smallest << 20 + mycore() << 30;
    lowest << 0.5 + mycore();
  });
  EXPECT_EQ(20, smallest);
  EXPECT_EQ(0.5, lowest);
}

TEST(Reducer, IsSetForAllCores) {
  on_all_cores([] {
    sum += 99;
    all &= false;
    largest << 99;
  });
  sum = 3;
  all = true;
  largest = -3;
  EXPECT_EQ(3, sum) << "not once for each core";
  EXPECT_TRUE(all);
  EXPECT_EQ(-3, largest) << "smaller than before";
  on_all_cores([] { EXPECT_EQ(mycore() == 0 ? 3 : 0, sum.local()); });
}

TEST(Reducer, MayBeSetToTheValueOfOneCore) {
  sum.reset();
  on_all_cores([] { sum += mycore() + 5; });
  sum = sum.local();
  EXPECT_EQ(mycore() + 5, int64_t(sum));
}

TEST(Reducer, MayBeSymmetric) {
  typedef Reducer<int64_t, ReducerType::Add> Sum;
  const auto made = symmetric<Sum>();
  on_all_cores([made] { *made += 2; });
  EXPECT_EQ(2 * cores(), *made);
  *made = 7;
  EXPECT_EQ(7, *made);
  global_free(made);
}

TEST(Reducer, ConvertsToANumber) {
  sum = 5;
  const int64_t twice = 2 * sum;
  EXPECT_EQ(10, twice);
  std::ostringstream text;
  text << sum;
  EXPECT_EQ("5", text.str());
  if (sum < 4) ADD_FAILURE();
}

TEST(Reducer, IsReadOnAnyCore) {
  sum = 0;
  on_all_cores([] { sum += mycore() + 1; });
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(cores() * (cores() + 1) / 2, delegate::call(core, [] { return int64_t(sum); }));
  }
}

}  // namespace
