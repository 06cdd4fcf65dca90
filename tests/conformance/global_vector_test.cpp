/// Reference section "Containers": GlobalVector in every combining mode.

#include "structures/global_vector.hpp"
#include "tests/conformance/samples.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace conformance;

namespace {

GlobalCompletionEvent event;

const Combining kModes[] = {Combining::None, Combining::Centralized, Combining::Distributed};

template <class T>
void fill_and_take(Combining mode) {
  const auto vector = GlobalVector<T>::create(0, mode);
  const int64_t n = 50;
  for (int64_t k = 0; k < n; ++k) {
    const Core core = static_cast<Core>(k % cores());
    delegate::call(core, [vector, k] { vector->push(sample<T>(k)); });
  }
  EXPECT_TRUE(samples<T>(n) == read_all(vector->begin(), vector->size()));
  EXPECT_TRUE(sample<T>(0) == vector->front());
  EXPECT_TRUE(sample<T>(n - 1) == vector->back());
  EXPECT_TRUE(sample<T>(n - 1) == vector->pop());
  EXPECT_TRUE(sample<T>(0) == vector->dequeue());
  T value;
  EXPECT_TRUE(vector->try_pop(&value));
  EXPECT_TRUE(sample<T>(n - 2) == value);
  EXPECT_TRUE(vector->try_dequeue(&value));
  EXPECT_TRUE(sample<T>(1) == value);
  EXPECT_EQ(n - 4, vector->size());
  vector->clear();
  EXPECT_TRUE(vector->empty());
  EXPECT_FALSE(vector->try_pop(&value));
  EXPECT_FALSE(vector->try_dequeue(&value));
  EXPECT_TRUE(sample<T>(1) == value);
  vector->destroy();
}

TEST(GlobalVector, PushPopDequeue) {
  for (const Combining mode : kModes) {
    fill_and_take<int64_t>(mode);
    fill_and_take<double>(mode);
    fill_and_take<char>(mode);
    fill_and_take<Record>(mode);
  }
}

TEST(GlobalVector, ConcurrentCallsOfAllCores) {
  for (const Combining mode : kModes) {
    const auto vector = GlobalVector<int64_t>::create(10, mode);
    forall(0, 600, [vector](int64_t i) { vector->push(i); });
    finish([vector] { forall<async>(600, 300, [vector](int64_t i) { vector->push<async>(i); }); });
    EXPECT_EQ(900, vector->size());
    std::vector<int64_t> all = read_all(vector->begin(), vector->end() - vector->begin());
    std::sort(all.begin(), all.end());
    for (int64_t k = 0; k < 900; ++k) EXPECT_EQ(k, all[static_cast<size_t>(k)]);
    static int64_t sum;
    on_all_cores([] { sum = 0; });
    forall(0, 900, [vector](int64_t i) { sum += i % 2 == 0 ? vector->pop() : vector->dequeue(); });
    EXPECT_EQ(900 * 899 / 2, sum_all_cores([] { return sum; }));
    EXPECT_TRUE(vector->empty());
    vector->destroy();
  }
}

TEST(GlobalVector, Elements) {
  const auto vector = GlobalVector<int64_t>::create();
  for (int64_t k = 0; k < 20; ++k) vector->push(100 + k);
  vector->dequeue();
  on_all_cores([vector] {
    EXPECT_EQ(vector->begin() + 19, vector->end());
    EXPECT_EQ(vector->begin() + 3, (*vector)[3]);
    EXPECT_EQ(104, delegate::read((*vector)[3]));
    const int64_t before = vector->begin() - vector->storage();
    EXPECT_LE(0, before);
  });
  EXPECT_EQ(Grappa::detail::default_combining(), vector->combining());
  vector->destroy();
}

TEST(GlobalVector, Forall) {
  const auto vector = GlobalVector<int64_t>::create();
  for (int64_t k = 0; k < 100; ++k) vector->push(k);
  forall(vector, [](int64_t& x) { x *= 10; });
  finish([vector] { forall<async, 8>(vector, [](int64_t i, int64_t& x) { x += i; }); });
  forall<&event>(vector, [](int64_t first, int64_t count, int64_t* few) {
    for (int64_t k = 0; k < count; ++k) few[k] += 1000 * (first + k);
  });
  const std::vector<int64_t> all = read_all(vector->begin(), 100);
  for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(1011 * i, all[static_cast<size_t>(i)]);
  vector->destroy();
}

}  // namespace
