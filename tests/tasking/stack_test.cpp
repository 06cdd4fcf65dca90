#include "system/tasking/stack.hpp"

#include "system/base/mapping.hpp"
#include "system/base/units.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

constexpr StackPlacement kBoth[] = {StackPlacement::Guarded, StackPlacement::Packed};

TEST(Stack, HasTheRequestedSize) {
  for (const StackPlacement placement : kBoth) {
    StackArea area(20000, placement, 4);
    const Stack stack = area.take();
    EXPECT_GE(stack.bytes, 20000u);
    EXPECT_LT(stack.bytes, 20000u + 64);
    EXPECT_EQ(static_cast<size_t>(stack.top() - stack.bottom), stack.bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(stack.top()) % 64, 0u);
  }
}

TEST(Stack, IsZeroAndWritableFromBottomToTop) {
  for (const StackPlacement placement : kBoth) {
    StackArea area(64 * KiB, placement, 1);
    const Stack stack = area.take();
    int not_zero = 0;
    for (char* byte = stack.bottom; byte < stack.top(); ++byte) {
      not_zero += *byte != 0;
      *byte = 1;
    }
    EXPECT_EQ(not_zero, 0);
    EXPECT_EQ(stack.top()[-1], 1);
  }
}

TEST(Stack, DoesNotOverlapOthers) {
  const uint64_t kStacks = 3000;  // these need several slabs
  for (const StackPlacement placement : kBoth) {
    StackArea area(48 * KiB, placement, 100);
    std::vector<Stack> stacks;
    for (uint64_t k = 0; k < kStacks; ++k) {
      stacks.push_back(area.take());
      *reinterpret_cast<uint64_t*>(stacks[k].bottom) = k;
      *reinterpret_cast<uint64_t*>(stacks[k].top() - 8) = k;
    }
    uint64_t wrong = 0;
    for (uint64_t k = 0; k < kStacks; ++k) {
      wrong += *reinterpret_cast<uint64_t*>(stacks[k].bottom) != k;
      wrong += *reinterpret_cast<uint64_t*>(stacks[k].top() - 8) != k;
    }
    EXPECT_EQ(wrong, 0u);
  }
}

/// Returns how many of `sets` cache sets contain the top of one of `count` stacks.
size_t sets_of_tops(StackArea* area, size_t count, size_t sets) {
  std::set<size_t> used;
  for (size_t k = 0; k < count; ++k) {
    used.insert(reinterpret_cast<uintptr_t>(area->take().top()) / 64 % sets);
  }
  return used.size();
}

TEST(Stack, TopsUseManyCacheSets) {
  const size_t kSets = 2048;  // a second-level cache of 1 MiB; aligned 16 KiB stacks use only 8
  for (const size_t bytes : {8 * KiB, 16 * KiB, 32 * KiB}) {
    StackArea area(bytes, StackPlacement::Packed, 4 * kSets);
    EXPECT_GT(sets_of_tops(&area, 4 * kSets, kSets), kSets / 2) << bytes;
  }
  for (const size_t bytes : {16 * KiB, 60 * KiB, 64 * KiB, 256 * KiB, MiB}) {
    StackArea area(bytes, StackPlacement::Guarded, 4 * kSets);
    EXPECT_GT(sets_of_tops(&area, 4 * kSets, kSets), kSets / 2) << bytes;
  }
}

TEST(Stack, IdentifiesItsGuard) {
  StackArea area(64 * KiB, StackPlacement::Guarded, 1);
  const Stack stack = area.take();
  ASSERT_TRUE(stack.guarded());
  size_t reach = 0;  // distance from the bottom down to the guard
  while (!stack.guards(stack.bottom - reach - 1)) ++reach;
  EXPECT_LE(reach, 2 * page_bytes());
  EXPECT_TRUE(stack.guards(stack.bottom - reach - 64 * KiB))
      << "a large frame must not skip the guard";
  EXPECT_FALSE(stack.guards(stack.bottom - reach - 64 * KiB - 1));
  EXPECT_FALSE(stack.guards(stack.bottom));
  EXPECT_FALSE(stack.guards(stack.top() - 1));
}

TEST(StackDeathTest, AnOverflowFaults) {
  StackArea area(64 * KiB, StackPlacement::Guarded, 1);
  const Stack stack = area.take();
  char* below = stack.bottom;
  while (!stack.guards(below)) --below;
  EXPECT_DEATH(*static_cast<volatile char*>(below) = 1, "");
}

TEST(Stack, AnOverflowOverwritesTheCanary) {
  StackArea area(16 * KiB, StackPlacement::Packed, 2);
  EXPECT_TRUE(area.take().guarded()) << "foreign memory is below this stack";
  const Stack stack = area.take();
  EXPECT_FALSE(stack.guarded());
  EXPECT_TRUE(Stack::canary_is_alive(stack.bottom));
  stack.bottom[64] = 1;
  EXPECT_TRUE(Stack::canary_is_alive(stack.bottom));
  for (int k = 0; k < 64; ++k) {
    stack.bottom[k] = 1;
    EXPECT_FALSE(Stack::canary_is_alive(stack.bottom));
    stack.bottom[k] = 0;
  }
}

TEST(Stack, AllocatesMemoryOnFirstTouch) {
  StackArea area(MiB, StackPlacement::Guarded, 64);
  std::vector<Stack> stacks;
  for (int k = 0; k < 64; ++k) stacks.push_back(area.take());
  EXPECT_EQ(area.resident_bytes(), 0u);
  for (const Stack& stack : stacks) stack.top()[-1] = 1;
  EXPECT_EQ(area.resident_bytes(), 64 * page_bytes());
}

TEST(Stack, DiscardsOnlyItsOwnMemory) {
  const auto ones = [](const Stack& stack) { return std::count(stack.bottom, stack.top(), 1); };
  const int64_t kBytes = 64 * KiB;
  const int64_t kPage = static_cast<int64_t>(page_bytes());
  for (const StackPlacement placement : kBoth) {
    StackArea area(kBytes, placement, 4);
    area.take();  // its top is the end of a page, so the next stack does not share that page
    const Stack below = area.take(), stack = area.take(), above = area.take();
    for (const Stack& each : {below, stack, above}) std::fill(each.bottom, each.top(), 1);
    const size_t resident = area.resident_bytes();
    area.discard(stack);
    EXPECT_EQ(ones(below), kBytes);
    EXPECT_EQ(ones(above), kBytes);
    if (placement == StackPlacement::Packed) {
      EXPECT_LT(ones(stack), 2 * kPage) << "only parts of the two shared pages remain";
    } else {
      EXPECT_EQ(ones(stack), 0);
    }
    std::fill(stack.bottom, stack.top(), 1);
    EXPECT_EQ(area.resident_bytes(), resident);
    area.discard(stack);
    EXPECT_LE(area.resident_bytes(), resident - kBytes + 2 * page_bytes());
  }
}

TEST(Stack, ReportsItsHighWaterMark) {
  for (const StackPlacement placement : kBoth) {
    StackArea area(64 * KiB, placement, 1);
    const Stack stack = area.take();
    EXPECT_EQ(stack.high_water_bytes(), 0u);
    stack.top()[-1000] = 1;
    EXPECT_EQ(stack.high_water_bytes(), 1000u);
    stack.top()[-1000] = 0;
    stack.top()[-8] = 1;
    EXPECT_EQ(stack.high_water_bytes(), 8u);
  }
}

TEST(Stack, GuardMappingsAreReleased) {
  const int kMoreThanThereAreMappings = 100000;
  for (int k = 0; k < kMoreThanThereAreMappings / 1000; ++k) {
    StackArea area(page_bytes(), StackPlacement::Guarded, 1000);
    bool all_guarded = true;
    for (int stack = 0; stack < 1000; ++stack) all_guarded &= area.take().guarded();
    EXPECT_TRUE(all_guarded);
  }
}

}  // namespace
}  // namespace Grappa
