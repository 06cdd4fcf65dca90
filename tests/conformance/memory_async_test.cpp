/// Reference section "Addresses and memory": async copies and async memset of arrays.

#include "tests/conformance/samples.hpp"

#include <gtest/gtest.h>
#include <vector>

using namespace conformance;

namespace {

constexpr int64_t kWords = 700;

GlobalCompletionEvent copies;
GlobalCompletionEvent others;

class MemoryAsync : public testing::Test {
 protected:
  void SetUp() override {
    from = sample_array<int64_t>(kWords);
    to = global_alloc<int64_t>(kWords);
    Grappa::memset(to, int64_t{-1}, kWords);
    for (int64_t k = 0; k < kWords; ++k) here.push_back(sample<int64_t>(k));
  }
  void TearDown() override {
    global_free(from);
    global_free(to);
  }

  /// Expects that exactly the words [first, first + n) of `to` were copied from `from`.
  void expect_copied(int64_t first, int64_t n) {
    std::vector<int64_t> wanted(kWords, -1);
    for (int64_t k = first; k < first + n; ++k) wanted[size_t(k)] = here[size_t(k)];
    EXPECT_TRUE(wanted == read_all(to, kWords)) << n << " words from " << first << " on";
  }

  GlobalAddress<int64_t> from, to;
  std::vector<int64_t> here;  // the contents of `from`
};

TEST_F(MemoryAsync, MemcpyGlobalToGlobal) {
  finish([this] {
    memcpy_async(to + 3, from + 3, 300);
    memcpy_async(to + 303, from + 303, 200);
    memcpy_async(to, from, 0);
  });
  expect_copied(3, 500);
}

TEST_F(MemoryAsync, MemcpyGlobalToLocal) {
  std::vector<int64_t> there(kWords, -1);
  finish([this, &there] { memcpy_async(there.data(), from, kWords); });
  EXPECT_TRUE(here == there);
}

TEST_F(MemoryAsync, MemcpyLocalToGlobal) {
  const int64_t* const words = here.data();
  finish([this, words] { memcpy_async(to + 9, words + 9, 600); });
  expect_copied(9, 600);
}

TEST_F(MemoryAsync, MemcpyLocal) {
  const int64_t* const words = here.data();
  std::vector<int64_t> there(kWords, -1);
  finish([&there, words] { memcpy_async(there.data(), words, kWords); });
  EXPECT_TRUE(here == there);
}

TEST_F(MemoryAsync, MemcpyAsWorkOfAnEvent) {
  const int64_t* const words = here.data();
  std::vector<int64_t> there(kWords, -1), beside(kWords, -1);
  memcpy_async<&copies>(to, from, 100);
  memcpy_async<&copies>(to + 100, words + 100, 100);
  memcpy_async<&others>(there.data(), from, kWords);
  memcpy_async<&others>(beside.data(), words, kWords);
  copies.wait();
  expect_copied(0, 200);
  others.wait();
  EXPECT_TRUE(here == there);
  EXPECT_TRUE(here == beside);
}

TEST_F(MemoryAsync, ConcurrentMemcpyOfAllCores) {
  const auto source = from, target = to;
  const int64_t each = kWords / cores();
  on_all_cores([source, target, each] {
    const int64_t first = each * mycore();
    memcpy_async<&copies>(target + first, source + first, each);
  });
  copies.wait();
  expect_copied(0, each * cores());
}

TEST_F(MemoryAsync, Memset) {
  finish([this] {
    memset_async(to + 5, 7, 100);
    memset_async(to + 105, int64_t{8}, 1);
    memset_async(to, 9, 0);
  });
  std::vector<int64_t> wanted(kWords, -1);
  for (size_t k = 5; k < 105; ++k) wanted[k] = 7;
  wanted[105] = 8;
  EXPECT_TRUE(wanted == read_all(to, kWords));
}

}  // namespace
