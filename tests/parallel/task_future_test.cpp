#include "system/parallel/task_future.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace Grappa;

Core last_core() { return static_cast<Core>(cores() - 1); }

TEST(TaskFuture, ReturnsTheResultOfTheTask) {
  FullEmpty<int64_t> cell;
  Future<int64_t> future = spawn_future([&cell] { return 2 * cell.readFF(); });
  yield();
  EXPECT_FALSE(future.ready()) << "the task waits for the cell";
  Future<int64_t> moved = std::move(future);
  cell.writeEF(21);
  EXPECT_EQ(moved.get(), 42);
  EXPECT_EQ(moved.get(), 42);
}

TEST(TaskFuture, IsWorkOfTheScopeEvenIfItIsDropped) {
  bool ended = false;
  finish([&ended] {
    spawn_future([&ended] {
      delegate::call(last_core(), [] { yield(); });
      ended = true;
    }).drop();
  });
  EXPECT_TRUE(ended);
}

TEST(Then, RunsItsBodyOnTheAnswer) {
  Future<int64_t> answer = delegate::call_future(last_core(), [] { return int64_t{mycore()}; });
  const int64_t offset = 100 * cores();
  Future<double> half = then(then(std::move(answer), [offset](int64_t a) { return a + offset; }),
                             [](int64_t a) { return 0.5 * double(a); });
  EXPECT_EQ(half.get(), 0.5 * double(last_core() + offset));
}

TEST(Then, MayFollowAndReturnNothing) {
  int order = 0, body_at = 0;
  Future<void> first = spawn_future([&order] {
    yield();
    ++order;
  });
  Future<void> second = then(std::move(first), [&order, &body_at] { body_at = ++order; });
  second.get();
  EXPECT_EQ(body_at, 2);
}

TEST(WhenAll, CompletesAfterAllAnswers) {
  FullEmpty<int64_t> cell;
  std::vector<Future<int64_t>> futures;
  for (int64_t k = 0; k < 50; ++k) {
    futures.push_back(delegate::call_future(k % cores(), [k] { return k; }));
  }
  futures.push_back(spawn_future([&cell] { return cell.readFF(); }));
  Future<void> all = when_all(&futures);
  for (size_t k = 0; k < 50; ++k) {
    while (!futures[k].ready()) yield();
  }
  for (int k = 0; k < 10; ++k) yield();
  EXPECT_FALSE(all.ready()) << "one task waits for the cell";
  cell.writeEF(50);
  all.get();
  for (int64_t k = 0; k <= 50; ++k) EXPECT_EQ(futures[size_t(k)].get(), k);
}

TEST(Future, NeedNotBeReadAfterWait) {
  Future<std::string> waited = spawn_future([] { return std::string(100, 'a'); });
  waited.wait();
  EXPECT_TRUE(waited.ready());
}

TEST(WhenAll, OfNoFuturesCompletes) {
  std::vector<Future<int>> none;
  when_all(&none).get();
}

}  // namespace
