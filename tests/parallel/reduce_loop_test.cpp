#include "system/parallel/reduce_loop.hpp"

#include <Grappa.hpp>
#include <algorithm>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

GlobalAddress<int64_t> numbers(int64_t n) {
  const auto array = global_alloc<int64_t>(n);
  forall(array, n, [](int64_t i, int64_t& number) { number = i * 7919 % 1009; });
  return array;
}

int64_t number_at(int64_t i) { return i * 7919 % 1009; }

TEST(Sum, AddsTheResultsForAllElements) {
  for (const int64_t n : {0, 1, 7, 8, 9, 1000}) {
    const auto array = numbers(n);
    const int64_t factor = 3 + n % 2;
    int64_t all = 0, by_index = 0;
    for (int64_t i = 0; i < n; ++i) {
      all += factor * number_at(i);
      by_index += i * number_at(i);
    }
    EXPECT_EQ(sum(array, n, [factor](int64_t& x) { return factor * x; }), all);
    EXPECT_EQ(sum(array, n, [](int64_t i, int64_t& x) { return i * x; }), by_index);
    EXPECT_EQ(sum(array, n, [](const int64_t&) { return 0.5; }), 0.5 * double(n));
    global_free(array);
  }
}

TEST(Sum, AddsTheResultsForAllIndices) {
  for (const int64_t n : {0, 1, 2, 5, 1001}) {
    const int64_t change = 4 + n % 2;
    EXPECT_EQ(sum(-10, n, [change](int64_t i) { return i + change; }),
              n * (change - 10) + n * (n - 1) / 2);
  }
}

TEST(Sum, MayBeCalledOnAnyCoreAndByManyTasks) {
  on_all_cores([] {
    for (int64_t k = 1; k < 5; ++k) {
      spawn([k] { EXPECT_EQ(sum(0, 100 * k, [k](int64_t) { return k; }), 100 * k * k); });
    }
  });
}

// If a partial sum were read before the body suspends, additions would be lost.
TEST(Sum, LosesNothingIfBodiesSuspend) {
  const int64_t n = 2000;
  const auto array = numbers(n);
  int64_t all = 0;
  for (int64_t i = 0; i < n; ++i) all += number_at(i);
  EXPECT_EQ(sum(0, n, [array](int64_t i) { return delegate::read(array + i); }), all);
  EXPECT_EQ(sum(array, n,
                [](int64_t i, int64_t& x) {
                  yield();
                  return x + 0 * i;
                }),
            all);
  global_free(array);
}

struct Best {
  int64_t index, value;
};

TEST(Reduce, FindsTheLargestElementAndItsIndex) {
  const int64_t n = 1500;
  const auto array = numbers(n);
  const Best best = reduce(
      array, n, Best{-1, -1},
      [](int64_t i, int64_t& x) {
        return Best{i, x};
      },
      [](const Best& a, const Best& b) {
        return a.value > b.value || (a.value == b.value && a.index < b.index) ? a : b;
      });
  EXPECT_EQ(best.value, 1008);
  EXPECT_EQ(number_at(best.index), 1008);
  EXPECT_LT(best.index, 1009) << "the first of several";
  global_free(array);
}

// 1 is not an identity of the operation, so a second use of the initial value would be visible.
TEST(Reduce, UsesTheInitialValueOnce) {
  const auto plus = [](int64_t a, int64_t b) { return a + b; };
  for (const int64_t n : {0, 1, 2, 3, 50}) {
    const auto array = numbers(n);
    EXPECT_EQ(reduce(
                  0, n, int64_t{1}, [](int64_t) { return int64_t{10}; }, plus),
              1 + 10 * n);
    EXPECT_EQ(reduce(
                  array, n, int64_t{1}, [](int64_t&) { return int64_t{10}; }, plus),
              1 + 10 * n);
    global_free(array);
  }
}

}  // namespace
