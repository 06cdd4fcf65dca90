#include "system/tasking/worker.hpp"

#include "system/base/units.hpp"
#include "system/tasking/task.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <new>

namespace Grappa {

using namespace detail;

namespace {

class ReadyQueueTest : public testing::Test {
 protected:
  ReadyQueueTest() : area_(8 * KiB, StackPlacement::Packed, 1) {
    const Stack stack = area_.take();
    worker_ = new (stack.top() - sizeof(Worker)) Worker(0, stack);
  }
  ~ReadyQueueTest() override { worker_->~Worker(); }

  /// Returns a fake address of saved registers. A prefetch of an invalid address has no effect.
  void* saved(uint64_t number) const { return worker_->stack.top() - 64 * number; }

  StackArea area_;
  Worker* worker_;  // lies in a stack, because plain new does not align the fixture to 64 bytes
};

TEST_F(ReadyQueueTest, IsFirstInFirstOutAtAnyLength) {
  for (const size_t distance : {size_t{0}, size_t{1}, size_t{32}}) {
    ReadyQueue queue(distance);
    uint64_t pushed = 0, popped = 0;
    for (uint64_t length = 1; length < 500; length *= 3) {
      while (pushed - popped < length) {
        worker_->saved = saved(pushed++);
        queue.push(worker_);
      }
      EXPECT_EQ(queue.size(), length);
      while (popped < pushed) EXPECT_EQ(queue.pop().saved, saved(popped++));
      EXPECT_TRUE(queue.empty());
    }
  }
}

TEST_F(ReadyQueueTest, StoresTheRegistersOfTheRunningWorkerLater) {
  ReadyQueue queue(32);
  TaskScope scope;
  void** save = queue.push_running(worker_, &scope);
  *save = saved(7);
  const ReadyQueue::Entry entry = queue.pop();
  EXPECT_EQ(entry.saved, saved(7));
  EXPECT_EQ(entry.scope, &scope);
  EXPECT_EQ(entry.worker, worker_);
}

/// A simulation that always chooses the newest worker.
class NewestFirst final : public VirtualTime {
 public:
  uint64_t now_ns() override { return 0; }
  void idle_until(uint64_t) override {}
  void executed(const void*, uint64_t, uint64_t) override {}
  uint64_t choose(uint64_t n) override { return n - 1; }
};

TEST_F(ReadyQueueTest, IsInTheOrderThatASimulationChooses) {
  ReadyQueue queue(32);
  for (uint64_t number = 0; number < 4; ++number) {
    worker_->saved = saved(number);
    queue.push(worker_);
  }
  NewestFirst time;
  queue.reorder(&time);  // 3 1 2 0, 3 0 2 1, 3 0 1 2
  for (const uint64_t number : {3, 0, 1, 2}) EXPECT_EQ(queue.pop().saved, saved(number));
}

TEST_F(ReadyQueueTest, ReportsWhenItMustGrow) {
  ReadyQueue queue(32);
  EXPECT_TRUE(queue.full());
  queue.push(worker_);
  EXPECT_FALSE(queue.full());
  while (!queue.full()) queue.push(worker_);
  const size_t size = queue.size();
  queue.push(worker_);
  EXPECT_EQ(queue.size(), size + 1);
}

}  // namespace
}  // namespace Grappa
