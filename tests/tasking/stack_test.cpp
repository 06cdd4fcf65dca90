#include "system/tasking/stack.hpp"

#include "system/base/mapping.hpp"
#include "system/base/units.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace Grappa {
namespace {

TEST(Stack, RoundsUpToPages) {
  Stack stack(page_bytes() + 1);
  EXPECT_EQ(stack.bytes(), 2 * page_bytes());
  EXPECT_EQ(static_cast<size_t>(stack.top() - stack.bottom()), stack.bytes());
}

TEST(Stack, IsWritableFromBottomToTop) {
  Stack stack(64 * KiB);
  for (char* byte = stack.bottom(); byte < stack.top(); ++byte) *byte = 1;
  EXPECT_EQ(stack.top()[-1], 1);
}

TEST(Stack, KnowsItsGuard) {
  Stack stack(64 * KiB);
  EXPECT_TRUE(stack.guards(stack.bottom() - 1));
  EXPECT_TRUE(stack.guards(stack.bottom() - page_bytes()));
  EXPECT_TRUE(stack.guards(stack.bottom() - 64 * KiB)) << "a large frame must not step over it";
  EXPECT_FALSE(stack.guards(stack.bottom() - 64 * KiB - 1));
  EXPECT_FALSE(stack.guards(stack.bottom()));
  EXPECT_FALSE(stack.guards(stack.top() - 1));
}

TEST(StackDeathTest, AnOverflowFaults) {
  Stack stack(64 * KiB);
  EXPECT_DEATH(*static_cast<volatile char*>(stack.bottom() - 1) = 1, "");
}

TEST(Stack, DoesWithoutGuardsBeyondTheKernelsLimit) {
  const size_t kStacks = 40000;
  std::vector<std::unique_ptr<Stack>> stacks;
  for (size_t k = 0; k < kStacks; ++k) stacks.emplace_back(new Stack(page_bytes()));
  EXPECT_TRUE(stacks.front()->guards(stacks.front()->bottom() - 1));
  EXPECT_FALSE(stacks.back()->guards(stacks.back()->bottom() - 1));
  EXPECT_GE(stacks.back()->bytes(), page_bytes());
  *stacks.back()->bottom() = 1;
}

TEST(Stack, ReturnsItsGuardForOthers) {
  const int kMoreThanHaveGuards = 40000;
  for (int k = 0; k < kMoreThanHaveGuards; ++k) Stack stack(page_bytes());
  Stack last(page_bytes());
  EXPECT_TRUE(last.guards(last.bottom() - 1));
}

}  // namespace
}  // namespace Grappa
