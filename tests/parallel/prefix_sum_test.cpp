#include "system/parallel/bulk.hpp"

#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

using namespace Grappa;

/// With these values, an error at a block boundary or a wrong order of additions changes the sums.
template <class T>
T element_of(int64_t i) {
  return static_cast<T>(static_cast<uint64_t>(i) * 2654435761u % 1000 - 300);
}

/// Sums elements [first, first + n) of an array. Checks all elements of the array.
template <class T>
void check(int64_t first, int64_t n) {
  SCOPED_TRACE(testing::Message() << n << " elements of " << sizeof(T) << " bytes from " << first);
  const int64_t all = first + n + 50;
  auto array = global_alloc<T>(static_cast<size_t>(all));
  forall(array, all, [](int64_t i, T& element) { element = element_of<T>(i); });
  prefix_sum(array + first, n);
  std::vector<T> sums(static_cast<size_t>(all));
  Grappa::memcpy(sums.data(), array, all);
  T sum = T();
  for (int64_t i = 0; i < all; ++i) {
    const bool inside = first <= i && i < first + n;
    if (inside) sum = static_cast<T>(sum + element_of<T>(i));
    ASSERT_EQ(inside ? sum : element_of<T>(i), sums[static_cast<size_t>(i)]) << "element " << i;
  }
  global_free(array);
}

TEST(PrefixSum, IsInclusive) {
  auto array = global_alloc<int64_t>(4);
  forall(array, 4, [](int64_t i, int64_t& element) { element = i + 1; });
  prefix_sum(array, 4);
  forall(array, 4, [](int64_t i, int64_t& sum) { EXPECT_EQ((i + 1) * (i + 2) / 2, sum); });
  global_free(array);
}

TEST(PrefixSum, AgreesWithASerialSumForAnyLength) {
  for (const int64_t n : {0, 1, 2, 7, 8, 9, 63, 64, 65, 1000, 2047, 2048, 2049, 5000, 100001}) {
    check<int64_t>(0, n);
    check<int64_t>(3, n);
  }
}

TEST(PrefixSum, StartsAnywhereInABlock) {
  for (int64_t first = 0; first < 8 * cores() + 3; ++first) check<int64_t>(first, 3000);
}

TEST(PrefixSum, TakesElementsOfAnySize) {
  check<uint8_t>(5, 40000);
  check<int16_t>(5, 20000);
  check<int32_t>(5, 30000);
  check<uint64_t>(5, 30000);
}

struct Vector {
  int64_t x, y;
  Vector operator+(const Vector& other) const { return {x + other.x, y + other.y}; }
};

TEST(PrefixSum, TakesUserDefinedTypes) {
  auto array = global_alloc<Vector>(3000);
  forall(array, 3000, [](int64_t i, Vector& element) { element = Vector{1, i}; });
  prefix_sum(array, 3000);
  forall(array, 3000, [](int64_t i, Vector& element) {
    EXPECT_EQ(i + 1, element.x);
    EXPECT_EQ(i * (i + 1) / 2, element.y);
  });
  global_free(array);
}

TEST(PrefixSum, ProcessesLargeArraysInPieces) {
  const int64_t n = int64_t{600000} * cores();  // more than 64 Ki blocks on each core
  auto array = global_alloc<int64_t>(size_t(n));
  const size_t before = heap_bytes_free();
  memset(array, 1, n);
  prefix_sum(array, n);
  forall(array, n, [](int64_t i, int64_t& element) { EXPECT_EQ(i + 1, element); });
  EXPECT_EQ(before, heap_bytes_free()) << "it frees the memory that it allocates";
  global_free(array);
}

TEST(PrefixSum, SumsArraysOfOneCore) {
  struct Odd {  // the size of this type does not divide a block
    int64_t a, b, c;
    Odd operator+(const Odd& other) const { return {a + other.a, b, c + other.c}; }
  };
  for (Core core = 0; core < cores(); ++core) {
    auto array = delegate::call(core, [] { return make_global(new Odd[1000]); });
    delegate::call(core, [array] {
      for (int64_t i = 0; i < 1000; ++i) array.pointer()[i] = Odd{1, 0, i};
    });
    prefix_sum(array, 1000);
    delegate::call(core, [array] {
      for (int64_t i = 0; i < 1000; ++i) EXPECT_EQ(i * (i + 1) / 2, array.pointer()[i].c);
      delete[] array.pointer();
    });
  }
}

struct Whole {
  int64_t word;
  Whole operator+(const Whole& other) const { return Whole{word + other.word}; }
} GRAPPA_BLOCK_ALIGNED;

TEST(PrefixSum, TakesElementsAsLargeAsABlock) {
  for (const int64_t n : {100, 1000}) {  // one core sums 100 elements, all cores sum 1,000
    auto array = global_alloc<Whole>(static_cast<size_t>(n));
    forall(array, n, [](int64_t i, Whole& element) { element.word = i + 1; });
    prefix_sum(array, n);
    forall(array, n,
           [](int64_t i, Whole& element) { EXPECT_EQ((i + 1) * (i + 2) / 2, element.word); });
    global_free(array);
  }
}

TEST(PrefixSum, IsTheSameInEveryRun) {
  const int64_t n = 20000;
  auto array = global_alloc<double>(n), again = global_alloc<double>(n);
  forall(array, n, [](int64_t i, double& element) { element = 1.0 / double(i + 1); });
  Grappa::memcpy(again, array, n);
  prefix_sum(array, n);
  prefix_sum(again, n);
  std::vector<double> first(n), second(n);
  Grappa::memcpy(first.data(), array, n);
  Grappa::memcpy(second.data(), again, n);
  EXPECT_EQ(first, second);
  global_free(again);
  global_free(array);
}

TEST(PrefixSum, SendsFewMessages) {
  const int64_t n = 65536 * int64_t{cores()};
  auto array = global_alloc<int64_t>(size_t(n));
  memset(array, 1, n);
  const auto sent = [] {
    return sum_all_cores([] { return int64_t(counted("message.messages")); });
  };
  const int64_t before = sent();
  prefix_sum(array, n);
  // The cores send sums and results to each other, start tasks, and report the ends of these tasks.
  EXPECT_LE(sent() - before, 20 * cores() * cores() + 40);
  global_free(array);
}

}  // namespace
