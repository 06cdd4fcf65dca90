#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

template <class T>
void expect_a_partition(int64_t offset, int64_t n) {
  auto array = global_alloc<T>(static_cast<size_t>(offset + n));
  const auto base = array + offset;
  // The span of each core must contain the elements that address arithmetic assigns to this core.
  for (Core core = 0; core < cores(); ++core) {
    const LocalSpan<T> span(base, n, core);
    int64_t mine = 0;
    for (int64_t k = 0; k < n; ++k) {
      if ((base + k).core() != core) continue;
      const T* element = (base + k).pointer();
      ASSERT_EQ(span.begin() + mine, element) << "contiguous, in order";
      ASSERT_EQ(k, span.index_of(element));
      ++mine;
    }
    ASSERT_EQ(mine, span.size()) << "core " << core << " offset " << offset << " n " << n;
  }
  global_free(array);
}

TEST(LocalSpan, ContainsExactlyTheElementsOfTheCore) {
  for (const int64_t offset : {0, 1, 5, 7, 8, 9, 31}) {
    for (const int64_t n : {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 200}) {
      expect_a_partition<int64_t>(offset, n);
      expect_a_partition<char>(offset, n);
    }
  }
}

struct Block {
  char bytes[64];
};

TEST(LocalSpan, HoldsElementsAsLargeAsABlock) {
  for (const int64_t n : {1, 2, 3, 4, 5, 17}) expect_a_partition<Block>(1, n);
}

TEST(LocalSpan, IsVisitedByTheLoopOverTheElementsOfThisCore) {
  auto array = global_alloc<int64_t>(200);
  Grappa::memset(array, 0, 200);
  const auto base = array + 5;
  for (const int64_t n : {0, 1, 8, 150}) {
    on_all_cores([base, n] {
      for (int64_t& word : iterate_local(base, n)) word += 1;
      int64_t* const end = (base + n).localize();
      for (int64_t* word = base.localize(); word < end; ++word) *word += 10;
    });
    forall(array, 200, [n](int64_t i, int64_t& word) {
      EXPECT_EQ(5 <= i && i < 5 + n ? 11 : 0, word);
      word = 0;
    });
  }
  global_free(array);
}

}  // namespace
