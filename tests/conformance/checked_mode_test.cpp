/// Reference section "Checked mode".

#include <Grappa.hpp>

#include <cstdint>

#include <gtest/gtest.h>

namespace {

using namespace Grappa;

TEST(CheckedMode, UncheckedExemptsAClosureOnly) {
  int64_t sum = 0;
  int64_t* const mine = &sum;
  const Core home = mycore();
  const auto come_back = [mine] { return *mine += 1; };
  const auto go = [home, come_back] { return delegate::call(home, unchecked(come_back)); };
  EXPECT_EQ(1, delegate::call(cores() - 1, unchecked(go)));
  const auto add = [](int64_t& word) { ++word; };
  static int64_t word = 0;
  delegate::call(make_global(&word), unchecked(add));
  EXPECT_EQ(1, word);
}

}  // namespace
