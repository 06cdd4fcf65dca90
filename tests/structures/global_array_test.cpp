#include "structures/global_array.hpp"

#include <Grappa.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace Grappa;

struct Pair {
  int64_t key, value;
};

GlobalCompletionEvent event;

/// Reads each element by its index, and returns all elements.
template <class T>
std::vector<T> elements(GlobalAddress<GlobalArray<T>> array) {
  std::vector<T> all;
  for (int64_t i = 0; i < array->size(); ++i) all.push_back(delegate::read((*array)[i]));
  return all;
}

TEST(GlobalArray, InitializesAllElements) {
  for (const int64_t n : {0, 1, 7, 8, 9, 1000}) {
    const auto zeros = GlobalArray<int64_t>::create(n);
    const auto letters = GlobalArray<char>::create(n, 'x');
    EXPECT_EQ(std::vector<int64_t>(static_cast<size_t>(n)), elements(zeros));
    EXPECT_EQ(std::vector<char>(static_cast<size_t>(n), 'x'), elements(letters));
    zeros->destroy();
    letters->destroy();
  }
}

TEST(GlobalArray, HoldsBools) {
  const auto flags = GlobalArray<bool>::create(100, true);
  delegate::write((*flags)[63], false);
  forall(flags, [](int64_t i, bool& flag) { EXPECT_EQ(i != 63, flag) << i; });
  flags->destroy();
}

TEST(GlobalArray, IsZeroInReusedMemory) {
  const auto used = GlobalArray<int64_t>::create(1000, 5);
  used->destroy();
  const auto again = GlobalArray<int64_t>::create(1000);
  EXPECT_EQ(std::vector<int64_t>(1000), elements(again));
  again->destroy();
}

TEST(GlobalArray, IsTheSameOnAllCores) {
  const auto array = GlobalArray<int64_t>::create(1000);
  const GlobalAddress<int64_t> first = array->begin();
  on_all_cores([array, first] {
    EXPECT_EQ(1000, array->size());
    EXPECT_FALSE(array->empty());
    EXPECT_EQ(first, array->begin());
    EXPECT_EQ(first + 1000, array->end());
    EXPECT_EQ(first + 123, (*array)[123]);
    // Each core writes its own elements.
    for (int64_t i = mycore(); i < 1000; i += cores()) delegate::write((*array)[i], 3 * i + 1);
  });
  for (int64_t i = 0; i < 1000; ++i) EXPECT_EQ(3 * i + 1, delegate::read((*array)[i]));
  array->destroy();
}

TEST(GlobalArray, IsDistributedOverAllCores) {
  const auto array = GlobalArray<int64_t>::create(8 * cores());
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(core, (*array)[8 * core].core());
    EXPECT_EQ(core, (*array)[8 * core + 7].core());
  }
  array->destroy();
}

TEST(GlobalArray, MayBeCopied) {
  const auto array = GlobalArray<Pair>::create(100);
  const GlobalArray<Pair> copy = *array;
  forall(0, 100, [copy](int64_t i) { delegate::write(copy[i], Pair{i, -i}); });
  for (int64_t i = 0; i < 100; ++i) {
    const Pair pair = delegate::read((*array)[i]);
    EXPECT_EQ(i, pair.key);
    EXPECT_EQ(-i, pair.value);
  }
  array->destroy();
}

TEST(GlobalArray, IsLoopedOverWithEveryFormOfBody) {
  const auto array = GlobalArray<int64_t>::create(1000, 10);
  forall(array, [](int64_t& element) { ++element; });
  forall(array, [array](int64_t i, int64_t& element) {
    EXPECT_EQ(mycore(), (*array)[i].core());
    element += 100 * i;
  });
  forall(array, [](int64_t first, int64_t count, int64_t* few) {
    for (int64_t k = 0; k < count; ++k) few[k] += 1000000 * (first + k);
  });
  const std::vector<int64_t> all = elements(array);
  for (int64_t i = 0; i < 1000; ++i) EXPECT_EQ(1000100 * i + 11, all[static_cast<size_t>(i)]);
  array->destroy();
}

TEST(GlobalArray, IsLoopedOverFromAnyCoreWithAnyArguments) {
  const auto array = GlobalArray<int64_t>::create(300);
  on_all_cores(
      [array] { finish([array] { forall<async>(array, [](int64_t& element) { ++element; }); }); });
  forall<&event, 5>(array, [](int64_t& element) { element *= 2; });
  EXPECT_EQ(std::vector<int64_t>(300, 2 * cores()), elements(array));
  array->destroy();
}

TEST(GlobalArray, FreesAllMemory) {
  const size_t before = heap_bytes_free();
  const auto array = GlobalArray<int64_t>::create(10000);
  EXPECT_GT(before, heap_bytes_free());
  const Core last = static_cast<Core>(cores() - 1);
  delegate::call(last, [array] { array->destroy(); });
  EXPECT_EQ(before, heap_bytes_free());
}

}  // namespace
