#include "system/net/shm_ring.hpp"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include <sched.h>

namespace Grappa {
namespace {

class ShmRing : public testing::TestWithParam<uint32_t> {
 protected:
  ShmRing()
      : slots_(GetParam()),
        producer_(slots_.data(), GetParam()),
        consumer_(slots_.data(), GetParam()) {
    for (ShmRingSlot& slot : slots_) slot.store(0);
  }

  uint32_t capacity() const { return GetParam(); }

  std::vector<ShmRingSlot> slots_;
  ShmRingProducer producer_;
  ShmRingConsumer consumer_;
};

TEST_P(ShmRing, IsEmptyWhenItsMemoryIsZero) { EXPECT_EQ(consumer_.try_pop(), 0u); }

TEST_P(ShmRing, TakesAsManyAsItsCapacity) {
  for (uint32_t entry = 1; entry <= capacity(); ++entry) EXPECT_TRUE(producer_.try_push(entry));
  EXPECT_FALSE(producer_.try_push(1000));
}

TEST_P(ShmRing, GivesBackInOrderAndIsEmptyThen) {
  for (uint32_t entry = 1; entry <= capacity(); ++entry) producer_.try_push(entry);
  for (uint32_t entry = 1; entry <= capacity(); ++entry) EXPECT_EQ(consumer_.try_pop(), entry);
  EXPECT_EQ(consumer_.try_pop(), 0u);
}

TEST_P(ShmRing, TakesOneMoreForEachTaken) {
  for (uint32_t entry = 1; entry <= capacity(); ++entry) producer_.try_push(entry);
  for (uint32_t turn = 1; turn <= 3 * capacity(); ++turn) {
    EXPECT_EQ(consumer_.try_pop(), turn);
    EXPECT_TRUE(producer_.try_push(turn + capacity()));
    EXPECT_FALSE(producer_.try_push(1));
  }
}

TEST_P(ShmRing, LosesNothingToARefusedPush) {
  for (uint32_t entry = 1; entry <= capacity(); ++entry) producer_.try_push(entry);
  for (int k = 0; k < 10; ++k) producer_.try_push(9999);
  for (uint32_t entry = 1; entry <= capacity(); ++entry) EXPECT_EQ(consumer_.try_pop(), entry);
  EXPECT_EQ(consumer_.try_pop(), 0u);
}

TEST_P(ShmRing, CarriesTheLargestEntry) {
  EXPECT_TRUE(producer_.try_push(~uint32_t{0}));
  EXPECT_EQ(consumer_.try_pop(), ~uint32_t{0});
}

TEST_P(ShmRing, PassesMillionsBetweenTwoThreadsInOrderExactlyOnce) {
  const uint32_t kEntries = 2000000;
  const uint32_t kMark = 0x5a5a5a5a;
  // What the entries name, as buffers are: written before the push, read after the pop.
  const uint32_t kCells =
      256;  // twice what any ring here holds, and more, so that none is overwritten unread
  std::vector<uint32_t> cells(kCells);
  std::thread producing([&] {
    for (uint32_t entry = 1; entry <= kEntries; ++entry) {
      cells[entry % kCells] = entry ^ kMark;
      while (!producer_.try_push(entry)) ::sched_yield();
    }
  });
  uint32_t out_of_order = 0, not_visible = 0;
  for (uint32_t expected = 1; expected <= kEntries; ++expected) {
    uint32_t entry = consumer_.try_pop();
    while (entry == 0) {
      ::sched_yield();
      entry = consumer_.try_pop();
    }
    out_of_order += entry != expected;
    not_visible += cells[expected % kCells] != (expected ^ kMark);
  }
  producing.join();
  EXPECT_EQ(out_of_order, 0u);
  EXPECT_EQ(not_visible, 0u);
  EXPECT_EQ(consumer_.try_pop(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Capacity, ShmRing, testing::Values(1u, 2u, 64u));

TEST(ShmRingDeathTest, RefusesACapacityThatIsNoPowerOfTwo) {
  ShmRingSlot slots[3];
  EXPECT_DEATH(ShmRingProducer(slots, 3), "is_power_of_two");
}

}  // namespace
}  // namespace Grappa
