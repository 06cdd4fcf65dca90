#include "system/net/shm_link.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>

namespace Grappa {

using namespace detail;

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
  ShmRingSide producer_;
  ShmRingSide consumer_;
};

TEST_P(ShmRing, ZeroMemoryIsAnEmptyRing) { EXPECT_EQ(consumer_.try_pop(), 0u); }

TEST_P(ShmRing, AcceptsAsManyEntriesAsItsCapacity) {
  for (uint32_t entry = 1; entry <= capacity(); ++entry) EXPECT_TRUE(producer_.try_push(entry));
  EXPECT_FALSE(producer_.try_push(1000));
}

TEST_P(ShmRing, PopsInOrderAndIsThenEmpty) {
  for (uint32_t entry = 1; entry <= capacity(); ++entry) producer_.try_push(entry);
  for (uint32_t entry = 1; entry <= capacity(); ++entry) EXPECT_EQ(consumer_.try_pop(), entry);
  EXPECT_EQ(consumer_.try_pop(), 0u);
}

TEST_P(ShmRing, AcceptsOneEntryPerPoppedEntry) {
  for (uint32_t entry = 1; entry <= capacity(); ++entry) producer_.try_push(entry);
  for (uint32_t turn = 1; turn <= 3 * capacity(); ++turn) {
    EXPECT_EQ(consumer_.try_pop(), turn);
    EXPECT_TRUE(producer_.try_push(turn + capacity()));
    EXPECT_FALSE(producer_.try_push(1));
  }
}

TEST_P(ShmRing, AFailedPushLosesNoEntry) {
  for (uint32_t entry = 1; entry <= capacity(); ++entry) producer_.try_push(entry);
  for (int k = 0; k < 10; ++k) producer_.try_push(9999);
  for (uint32_t entry = 1; entry <= capacity(); ++entry) EXPECT_EQ(consumer_.try_pop(), entry);
  EXPECT_EQ(consumer_.try_pop(), 0u);
}

TEST_P(ShmRing, CarriesTheLargestEntry) {
  EXPECT_TRUE(producer_.try_push(~uint32_t{0}));
  EXPECT_EQ(consumer_.try_pop(), ~uint32_t{0});
}

TEST_P(ShmRing, PassesEntriesBetweenTwoThreadsInOrderExactlyOnce) {
  const uint32_t kEntries = 200000;  // each may take a time slice if both threads use one processor
  const uint32_t kMark = 0x5a5a5a5a;
  // The producer writes a cell before the push, and the consumer reads it after the pop. There are
  // more than twice as many cells as entries in any ring, so no unread cell is overwritten.
  const uint32_t kCells = 256;
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

/// A sender and a receiver that exchange buffers in the same way as ShmLink. The buffers are plain
/// memory, so ThreadSanitizer reports every missing memory ordering.
class Circuit {
 public:
  Circuit(uint32_t buffers, uint32_t entries)
      : outbound_slots_(entries),
        return_slots_(buffers),
        outbound_(outbound_slots_.data(), entries),
        inbound_(outbound_slots_.data(), entries),
        give_back_(return_slots_.data(), buffers),
        returned_(return_slots_.data(), buffers),
        buffers_(buffers) {
    for (ShmRingSlot& slot : outbound_slots_) slot.store(0);
    for (ShmRingSlot& slot : return_slots_) slot.store(0);
  }

  /// Sends the numbers 0 to `numbers` - 1, several numbers in each buffer. Checks that the receiver
  /// has marked the numbers in the returned buffers.
  void send(uint32_t numbers, uint32_t seed) {
    std::minstd_rand random(seed);
    std::vector<uint32_t> home;
    for (uint32_t index = 0; index < buffers_.size(); ++index) home.push_back(index);
    uint32_t next = 0;
    while (next < numbers || home.size() < buffers_.size()) {
      dawdle(&random);
      for (uint32_t burst = 1 + random() % 8; burst > 0; --burst) {
        const uint32_t entry = returned_.try_pop();
        if (entry == 0) break;
        Buffer& back = buffers_[entry - 1];
        for (uint32_t k = 0; k < back.used; ++k) unmarked_ += back.numbers[k] != ~(back.first + k);
        home.push_back(entry - 1);
      }
      for (uint32_t burst = random() % 8; burst > 0 && next < numbers && !home.empty(); --burst) {
        Buffer& buffer = buffers_[home.back()];
        buffer.first = next;
        buffer.used = std::min<uint32_t>(1 + random() % kNumbers, numbers - next);
        for (uint32_t k = 0; k < buffer.used; ++k) buffer.numbers[k] = next + k;
        if (!outbound_.try_push(home.back() + 1)) break;
        next += buffer.used;
        home.pop_back();
      }
    }
  }

  /// Receives `numbers` numbers, marks them, and returns the buffers. Some buffers are returned
  /// later.
  void receive(uint32_t numbers, uint32_t seed) {
    std::minstd_rand random(seed);
    std::vector<uint32_t> held;
    uint32_t expected = 0;
    while (expected < numbers || !held.empty()) {
      dawdle(&random);
      for (uint32_t burst = random() % 8; burst > 0; --burst) {
        const uint32_t entry = inbound_.try_pop();
        if (entry == 0) break;
        Buffer& buffer = buffers_[entry - 1];
        for (uint32_t k = 0; k < buffer.used; ++k) {
          out_of_order_ += buffer.numbers[k] != expected++;
          buffer.numbers[k] = ~buffer.numbers[k];
        }
        held.push_back(entry);
      }
      for (uint32_t burst = random() % 8; burst > 0 && !held.empty(); --burst) {
        not_given_back_ += !give_back_.try_push(held.back());
        held.pop_back();
      }
    }
  }

  /// Must be called by one thread after send() and receive() have ended.
  void expect_nothing_lost() {
    EXPECT_EQ(out_of_order_, 0u);
    EXPECT_EQ(unmarked_, 0u);
    EXPECT_EQ(not_given_back_, 0u);
    EXPECT_EQ(inbound_.try_pop(), 0u);
    EXPECT_EQ(returned_.try_pop(), 0u);
  }

 private:
  static constexpr uint32_t kNumbers = 16;
  struct Buffer {
    uint32_t first, used;
    uint32_t numbers[kNumbers];
  };

  /// Does nothing, waits a moment, or yields the processor to the other thread.
  static void dawdle(std::minstd_rand* random) {
    const uint32_t kind = static_cast<uint32_t>((*random)() % 16);
    if (kind == 0) ::sched_yield();
    if (kind >= 12) {
      for (uint32_t turns = static_cast<uint32_t>((*random)() % 200); turns > 0; --turns) {
        std::atomic_signal_fence(std::memory_order_seq_cst);  // prevents removal of the loop
      }
    }
  }

  std::vector<ShmRingSlot> outbound_slots_, return_slots_;
  ShmRingSide outbound_;
  ShmRingSide inbound_;
  ShmRingSide give_back_;
  ShmRingSide returned_;
  std::vector<Buffer> buffers_;
  uint32_t out_of_order_ = 0, not_given_back_ = 0;  // written by the receiver
  uint32_t unmarked_ = 0;                           // written by the sender
};

TEST(ShmRings, CarryBuffersThereAndBackWhoseContentsBothSidesWrite) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::minstd_rand random(seed);
  for (int round = 0; round < 40; ++round) {
    const uint32_t buffers = 1u << (random() % 6);
    const uint32_t entries = 1u << (random() % 6);
    const uint32_t here = static_cast<uint32_t>(random()), there = static_cast<uint32_t>(random());
    const uint32_t kNumbers = 20000;
    SCOPED_TRACE(testing::Message() << buffers << " buffers, rings of " << entries);
    Circuit circuit(buffers, entries);
    std::thread receiving([&] { circuit.receive(kNumbers, there); });
    circuit.send(kNumbers, here);
    receiving.join();
    circuit.expect_nothing_lost();
  }
}

INSTANTIATE_TEST_SUITE_P(Capacity, ShmRing, testing::Values(1u, 2u, 64u));

TEST(ShmRingDeathTest, RejectsACapacityThatIsNotAPowerOfTwo) {
  ShmRingSlot slots[3];
  EXPECT_DEATH(ShmRingSide(slots, 3), "is_power_of_two");
}

}  // namespace
}  // namespace Grappa
