#include "structures/global_bag.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace Grappa { namespace detail { namespace {

template <class T>
std::vector<T> elements(StableStore<T>& store, int64_t first, int64_t count) {
  std::vector<T> all;
  store.for_range(first, count, [&all](T& element) { all.push_back(element); });
  return all;
}

std::vector<int64_t> numbers(int64_t first, int64_t count) {
  std::vector<int64_t> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), first);
  return all;
}

TEST(StableStore, KeepsTheOrderOfPushes) {
  for (const int64_t expected : {0, 1, 2, 3, 100}) {
    StableStore<int64_t> store(expected);
    for (int64_t k = 0; k < 5000; ++k) store.push(k);
    EXPECT_EQ(5000, store.size());
    EXPECT_EQ(numbers(0, 5000), elements(store, 0, 5000)) << expected << " expected";
  }
}

TEST(StableStore, VisitsAnyRange) {
  StableStore<int64_t> store(1);  // chunks of 1, 2, 4, ...
  for (int64_t k = 0; k < 100; ++k) store.push(k);
  for (int64_t first = 0; first <= 100; ++first) {
    for (int64_t count = 0; first + count <= 100; ++count) {
      ASSERT_EQ(numbers(first, count), elements(store, first, count));
    }
  }
}

TEST(StableStore, KeepsTheAddressesOfElements) {
  StableStore<int64_t> store(0);
  store.push(7);
  int64_t* place = nullptr;
  store.for_range(0, 1, [&place](int64_t& element) { place = &element; });
  for (int64_t k = 0; k < 100000; ++k) store.push(k);
  store.for_range(0, 1, [place](int64_t& element) { EXPECT_EQ(place, &element); });
  EXPECT_EQ(7, *place);
}

TEST(StableStore, VisitsARangeDuringPushes) {
  StableStore<std::string> store(2);
  for (int k = 0; k < 10; ++k) store.push(std::to_string(k));
  std::string seen;
  store.for_range(0, store.size(), [&](std::string& element) {
    for (int k = 0; k < 10; ++k) store.push("new");
    seen += element;
  });
  EXPECT_EQ("0123456789", seen);
  EXPECT_EQ(110, store.size());
}

TEST(StableStore, DestroysEachElementOnce) {
  const auto shared = std::make_shared<int>(1);
  {
    StableStore<std::shared_ptr<int>> store(0);
    for (int k = 0; k < 1000; ++k) store.push(shared);
    EXPECT_EQ(1001, shared.use_count());
    store.clear();
    EXPECT_EQ(1, shared.use_count());
    EXPECT_EQ(0, store.size());
    for (int k = 0; k < 300; ++k) store.push(shared);
    EXPECT_EQ(301, shared.use_count());
  }
  EXPECT_EQ(1, shared.use_count());
}

TEST(StableStore, AlignsElements) {
  struct alignas(128) Wide {
    char bytes[128];
  };
  StableStore<Wide> store(0);
  for (int k = 0; k < 1000; ++k) store.push(Wide());
  store.for_range(0, 1000, [](Wide& element) {
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(&element) % alignof(Wide));
  });
}

}}}  // namespace Grappa::detail
