#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace Grappa;

TEST(GlobalHeap, KeepsArraysApart) {
  const int64_t n = 777;
  std::vector<GlobalAddress<int64_t>> arrays;
  for (int64_t k = 0; k < 10; ++k) {
    arrays.push_back(global_alloc<int64_t>(n));
    Grappa::memset(arrays.back(), k, n);
  }
  for (int64_t k = 0; k < 10; ++k) {
    forall(arrays[static_cast<size_t>(k)], n, [k](int64_t& element) { EXPECT_EQ(k, element); });
  }
  for (auto array : arrays) global_free(array);
}

TEST(GlobalHeap, GivesBackWhatIsFreed) {
  const size_t before = heap_bytes_free();
  auto array = global_alloc<char>(100000);
  EXPECT_LT(heap_bytes_free(), before);
  global_free(array);
  EXPECT_EQ(before, heap_bytes_free());
}

TEST(GlobalHeap, ServesAllCoresAtOnce) {
  const size_t before = heap_bytes_free();
  on_all_cores([] {
    for (int k = 0; k < 100; ++k) {
      auto array = global_alloc<int64_t>(static_cast<size_t>(1 + k));
      for (int i = 0; i <= k; ++i) delegate::write(array + i, mycore() * 1000 + i);
      for (int i = 0; i <= k; ++i) EXPECT_EQ(mycore() * 1000 + i, delegate::read(array + i));
      global_free(array);
    }
  });
  EXPECT_EQ(before, heap_bytes_free());
}

TEST(GlobalHeap, FreesNothingForANullAddress) { global_free(GlobalAddress<int>()); }

TEST(GlobalHeap, TakesEmptyArrays) {
  auto array = global_alloc<int64_t>(0);
  EXPECT_TRUE(array);
  forall(array, 0, [](int64_t&) { ADD_FAILURE(); });
  global_free(array);
}

TEST(GlobalHeap, ReservesWithoutTouching) {
  // Far more than the machine could back all at once if pages were taken now.
  const size_t bytes = heap_bytes_free() / 4 * 3;
  auto array = global_alloc<char>(bytes);
  delegate::write(array + static_cast<int64_t>(bytes) - 1, 7);
  EXPECT_EQ(7, delegate::read(array + static_cast<int64_t>(bytes) - 1));
  global_free(array);
}

}  // namespace
