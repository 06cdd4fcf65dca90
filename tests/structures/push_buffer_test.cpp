#include "structures/push_buffer.hpp"

#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

constexpr int64_t kMost = 100000;

PushBuffer<int64_t> numbers;
PushBuffer<int64_t, 1> one_by_one;
PushBuffer<int64_t, 7> sevens;

struct Triple {
  int64_t a, b, c;
};
PushBuffer<Triple, 5> triples;

class PushBufferTest : public testing::Test {
 protected:
  void SetUp() override {
    array = global_alloc<int64_t>(kMost);
    index = global_alloc<int64_t>(1);
    begin_anew();
  }
  void TearDown() override {
    global_free(array);
    global_free(index);
  }

  void begin_anew() {
    delegate::write(index, 0);
    Grappa::memset(array, -1, kMost);
  }

  template <class Buffer>
  void set_up_on_all_cores(Buffer* buffer) {
    const auto its_array = array;
    const auto its_index = index;
    on_all_cores([buffer, its_array, its_index] { buffer->setup(its_array, its_index); });
  }

  int64_t taken() { return delegate::read(index); }

  std::vector<int64_t> elements(int64_t n) {
    std::vector<int64_t> all(static_cast<size_t>(n));
    Grappa::memcpy(all.data(), array, n);
    return all;
  }

  /// Checks that the array contains 0 ... n - 1 in some order, and no other value.
  void expect_all(int64_t n) {
    EXPECT_EQ(n, taken());
    std::vector<int64_t> all = elements(n);
    std::sort(all.begin(), all.end());
    for (int64_t k = 0; k < n; ++k) ASSERT_EQ(k, all[static_cast<size_t>(k)]);
    if (n < kMost) {
      EXPECT_EQ(-1, delegate::read(array + n));
    }
  }

  template <class Buffer>
  void push_and_flush(Buffer* buffer, int64_t n) {
    begin_anew();
    set_up_on_all_cores(buffer);
    forall(0, n, [buffer](int64_t k) { buffer->push(k); });
    on_all_cores([buffer] { buffer->flush(); });
    expect_all(n);
  }

  GlobalAddress<int64_t> array;
  GlobalAddress<int64_t> index;
};

TEST_F(PushBufferTest, WritesAllValuesToTheArray) {
  for (const int64_t n : {0, 1, 63, 64, 65, 1000}) push_and_flush(&numbers, n);
  for (const int64_t n : {0, 1, 2, 10, 1000}) push_and_flush(&one_by_one, n);
  for (const int64_t n : {0, 1, 6, 7, 8, 13, 14, 15, 1000}) push_and_flush(&sevens, n);
}

TEST_F(PushBufferTest, WritesManyValues) {
  push_and_flush(&numbers, kMost);
  push_and_flush(&sevens, kMost);
}

TEST_F(PushBufferTest, WritesNothingBeforeItIsFull) {
  set_up_on_all_cores(&numbers);
  for (int64_t k = 0; k < 63; ++k) numbers.push(k);
  EXPECT_EQ(0, taken());
  numbers.push(63);
  expect_all(64);
  numbers.push(64);
  expect_all(64);
  numbers.flush();
  expect_all(65);
  numbers.flush();
  expect_all(65);
}

TEST_F(PushBufferTest, KeepsTheOrderOfAFullBuffer) {
  set_up_on_all_cores(&numbers);
  for (int64_t k = 0; k < 128; ++k) numbers.push(127 - k);
  for (int64_t k = 0; k < 128; ++k) EXPECT_EQ(127 - k, delegate::read(array + k));
}

TEST_F(PushBufferTest, ReservesElementsFromTheIndexOn) {
  delegate::write(index, 10);
  set_up_on_all_cores(&numbers);
  numbers.push(5);
  numbers.flush();
  EXPECT_EQ(11, taken());
  EXPECT_EQ(-1, delegate::read(array + 9));
  EXPECT_EQ(5, delegate::read(array + 10));
  EXPECT_EQ(-1, delegate::read(array + 11));
}

TEST_F(PushBufferTest, ReservesElementsOnceForEachFullBuffer) {
  set_up_on_all_cores(&numbers);
  const auto its_index = index;
  on_all_cores([] {
    for (int64_t k = 0; k < 64; ++k) numbers.push(k);
  });
  EXPECT_EQ(64 * cores(), delegate::read(its_index));
  // The values of each core are contiguous.
  for (int64_t core = 0; core < cores(); ++core) {
    for (int64_t k = 0; k < 64; ++k) EXPECT_EQ(k, delegate::read(array + 64 * core + k));
  }
}

TEST_F(PushBufferTest, WaitsForWritesOfOtherTasks) {
  static int64_t received[7], count;
  const Core last = static_cast<Core>(cores() - 1);
  on_all_cores([] { count = 0; });
  sevens.setup(make_global(received, last), make_global(&count, last));
  bool begun = false, returned = false;
  spawn([&begun, &returned] {
    begun = true;
    for (int64_t k = 0; k < 7; ++k) sevens.push(10 * k);
    returned = true;
  });
  while (!begun) yield();
  sevens.flush();
  EXPECT_TRUE(returned);
  EXPECT_EQ(60, delegate::call(last, [] { return received[6]; }));
  while (!returned) yield();
}

TEST_F(PushBufferTest, IsUsedByManyTasksOfACore) {
  set_up_on_all_cores(&sevens);
  on_all_cores([] {
    CompletionEvent done;
    for (int64_t task = 0; task < 20; ++task) {
      spawn(&done, [task] {
        for (int64_t k = 0; k < 7; ++k) sevens.push(140 * mycore() + 7 * task + k);
      });
    }
    done.wait();
    sevens.flush();
  });
  expect_all(140 * cores());
}

TEST_F(PushBufferTest, AcceptsAnotherArray) {
  set_up_on_all_cores(&numbers);
  numbers.push(0);
  numbers.flush();
  expect_all(1);
  const auto other = global_alloc<int64_t>(8);
  const auto count = global_alloc<int64_t>(1);
  delegate::write(count, 0);
  numbers.setup(other, count);
  numbers.push(42);
  numbers.flush();
  EXPECT_EQ(42, delegate::read(other));
  EXPECT_EQ(1, delegate::read(count));
  expect_all(1);
  global_free(other);
  global_free(count);
}

TEST_F(PushBufferTest, MayBeSymmetric) {
  const auto buffer = symmetric<PushBuffer<int64_t, 16>>();
  const auto its_array = array;
  const auto its_index = index;
  on_all_cores([buffer, its_array, its_index] { buffer->setup(its_array, its_index); });
  forall(0, 500, [buffer](int64_t k) { buffer->push(k); });
  on_all_cores([buffer] { buffer->flush(); });
  expect_all(500);
  global_free(buffer);
}

TEST_F(PushBufferTest, WritesToMemoryOfOneCore) {
  static Triple received[100];
  static int64_t count;
  count = 0;
  const auto to = make_global(received, 0);
  const auto its_index = make_global(&count, 0);
  on_all_cores([to, its_index] { triples.setup(to, its_index); });
  forall(0, 100, [](int64_t k) { triples.push(Triple{k, 10 * k, -k}); });
  on_all_cores([] { triples.flush(); });
  EXPECT_EQ(100, count);
  std::vector<bool> seen(100);
  for (const Triple& t : received) {
    EXPECT_EQ(10 * t.a, t.b);
    EXPECT_EQ(-t.a, t.c);
    EXPECT_FALSE(seen[static_cast<size_t>(t.a)]);
    seen[static_cast<size_t>(t.a)] = true;
  }
}

}  // namespace
