#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <type_traits>

namespace {

using namespace Grappa;

struct Pair {
  int64_t first;
  int64_t second;
};

TEST(GlobalAddress, IsNullByDefault) {
  GlobalAddress<int> nothing;
  EXPECT_FALSE(nothing);
  EXPECT_TRUE(nothing == GlobalAddress<int>(nullptr));
}

TEST(GlobalAddress, KeepsCoreAndPointerOfA2DAddress) {
  int object[4] = {};
  for (Core core = 0; core < cores(); ++core) {
    const GlobalAddress<int> address = make_global(&object[0], core);
    EXPECT_TRUE(address.is_2D());
    EXPECT_EQ(core, address.core());
    EXPECT_EQ(&object[0], address.pointer());
    EXPECT_EQ(&object[3], (address + 3).pointer()) << "arithmetic stays on the core";
    EXPECT_EQ(core, (address + 3).core());
  }
}

TEST(GlobalAddress, VisitsAllElementsOfALinearArrayOnce) {
  const int64_t n = 1000;
  auto array = global_alloc<int64_t>(n);
  EXPECT_TRUE(array.is_linear());
  forall(array, n, [](int64_t& element) { element = 0; });
  for (int64_t k = 0; k < n; ++k) {
    delegate::increment(array + k, k + 1);
    EXPECT_EQ(k, (array + k) - array);
  }
  for (int64_t k = 0; k < n; ++k) EXPECT_EQ(k + 1, delegate::read(array + k));
  global_free(array);
}

TEST(GlobalAddress, DistributesBlocksOf64BytesRoundRobinFromCore0) {
  auto array = global_alloc<int64_t>(100);
  for (int64_t k = 0; k < 100; ++k) {
    EXPECT_EQ(static_cast<Core>(k / 8 % cores()), (array + k).core());
  }
  global_free(array);
}

TEST(GlobalAddress, MovesForwardsAndBackwards) {
  auto array = global_alloc<int32_t>(100);
  auto here = array + 10;
  EXPECT_TRUE(here++ == array + 10);
  EXPECT_TRUE(here == array + 11);
  EXPECT_TRUE(--here == array + 10);
  EXPECT_TRUE((here -= 3) == array + 7);
  EXPECT_TRUE(array < here);
  EXPECT_EQ(-7, array - here);
  global_free(array);
}

TEST(GlobalAddress, FindsTheFirstElementOfEachCore) {
  const int64_t n = 200;
  auto array = global_alloc<int64_t>(n);
  for (const int64_t from : {0, 1, 7, 8, 50}) {
    for (Core core = 0; core < cores(); ++core) {
      int64_t first = from;
      while ((array + first).core() != core) ++first;
      EXPECT_EQ((array + first).pointer(), (array + from).localize(core));
    }
  }
  global_free(array);
}

TEST(GlobalAddress, MakeLinearReturnsTheAddressOfALocalElement) {
  auto array = global_alloc<int64_t>(500);
  on_all_cores([array] {
    for (int64_t k = 0; k < 500; ++k) {
      const auto element = array + k;
      if (element.core() != mycore()) continue;
      EXPECT_TRUE(make_linear(element.pointer()) == element);
    }
  });
  global_free(array);
}

TEST(GlobalAddress, RefersToMembers) {
  auto array = global_alloc<Pair>(10);
  auto second = global_pointer_to_member(array + 3, &Pair::second);
  delegate::call(array + 3, [](Pair& pair) { pair.second = 42; });
  EXPECT_EQ(42, delegate::read(second));
  EXPECT_EQ((array + 3).core(), second.core());
  global_free(array);
}

TEST(GlobalAddress, AccessesMembersOfThisCoresObject) {
  Pair pair = {3, 4};
  const GlobalAddress<Pair> address = make_global(&pair);
  EXPECT_EQ(4, address->second);
  address->first = 5;
  EXPECT_EQ(5, pair.first);
  EXPECT_EQ(5, (*address).first);
  const GlobalAddress<const Pair> read_only = address;
  EXPECT_EQ(5, read_only->first);
  static_assert(std::is_same<decltype(read_only.operator->()), const Pair*>::value, "");
}

TEST(GlobalAddress, ConvertsLikeAPointer) {
  auto array = global_alloc<int64_t>(8);
  const GlobalAddress<const int64_t> read_only = array + 3;
  EXPECT_EQ(array.raw_bits() + 24, read_only.raw_bits());
  const GlobalAddress<void> nameless = array;
  EXPECT_TRUE(static_cast<GlobalAddress<int64_t>>(nameless) == array);
  EXPECT_TRUE(static_cast<GlobalAddress<char>>(array) + 8 ==
              static_cast<GlobalAddress<char>>(array + 1));
  EXPECT_TRUE(nameless + 8 == GlobalAddress<void>(array + 1)) << "void counts bytes";
  typedef GlobalAddress<int64_t> Words;
  static_assert(!std::is_convertible<GlobalAddress<const int64_t>, Words>::value, "drops const");
  static_assert(!std::is_convertible<GlobalAddress<char>, Words>::value, "needs a cast");
  static_assert(!std::is_convertible<Words, bool>::value, "is not a number");
  static_assert(std::is_trivially_copyable<Words>::value && sizeof(Words) == 8, "travels");
  global_free(array);
}

TEST(GlobalAddress, ReturnsTheFirstAndLastByteOfItsElement) {
  auto array = global_alloc<Pair>(100);
  for (int64_t k = 0; k < 100; ++k) {
    const GlobalAddress<Pair> element = array + k;
    EXPECT_EQ(element.raw_bits(), element.first_byte().raw_bits());
    EXPECT_EQ(15, element.last_byte() - element.first_byte());
    EXPECT_EQ(element.core(), element.last_byte().core()) << "no element lies on two cores";
  }
  Pair pair;
  EXPECT_EQ(reinterpret_cast<char*>(&pair) + 15, make_global(&pair).last_byte().pointer());
  global_free(array);
}

TEST(GlobalAddress, BlockOfA2DAddressIsAllMemoryOfItsCore) {
  int64_t words[4];
  const GlobalAddress<int64_t> word = make_global(&words[1], static_cast<Core>(cores() - 1));
  EXPECT_TRUE(word.block_min() < word);
  EXPECT_EQ(word.core(), word.block_min().core());
  EXPECT_EQ(word.core(), word.block_max().core());
  EXPECT_GT(word.block_max() - word, int64_t{1} << 32);
}

TEST(GlobalAddress, PrintsKindCoreAndPointer) {
  std::ostringstream text;
  text << make_global(reinterpret_cast<int*>(0x1230), 0);
  EXPECT_EQ("<2D core 0, 0x1230>", text.str());
}

struct Odd {
  char bytes[100];
} GRAPPA_BLOCK_ALIGNED;
static_assert(sizeof(Odd) == 128 && alignof(Odd) == block_size, "padded to blocks");

TEST(GlobalAddress, ReturnsTheBoundsOfItsBlock) {
  auto array = global_alloc<int64_t>(100);
  EXPECT_TRUE((array + 13).block_min() == array + 8);
  EXPECT_TRUE((array + 13).block_max() == array + 16);
  global_free(array);
}

TEST(GlobalAddress, IsEither2DOrLinear) {
  auto array = global_alloc<int64_t>(100);
  int64_t word = 0;
  EXPECT_FALSE(array.is_2D());
  EXPECT_FALSE(make_global(&word).is_linear());
  EXPECT_EQ(mycore(), make_global(&word).core());
  std::ostringstream text;
  text << array + 8;
  EXPECT_EQ("<linear core " + std::to_string((array + 8).core()) + ", ",
            text.str().substr(0, text.str().find("0x")));
  global_free(array);
}

TEST(GlobalAddress, IsIncrementedAndComparedLikeAPointer) {
  auto array = global_alloc<int64_t>(100);
  auto here = array;
  EXPECT_EQ(array + 1, ++here);
  EXPECT_EQ(array + 1, here--);
  EXPECT_EQ(array, here);
  EXPECT_TRUE(array != array + 9);
  EXPECT_FALSE(array != here);
  EXPECT_FALSE(array + 9 < array);
  EXPECT_FALSE(array < here);
  global_free(array);
}

Pair pair_here;  // each core has its own instance

TEST(GlobalAddress, RefersToMembersOfAnObjectOfAnotherCore) {
  const auto pair = make_global(&pair_here, static_cast<Core>(cores() - 1));
  delegate::write(global_pointer_to_member(pair, &Pair::second), 5);
  EXPECT_EQ(5, delegate::call(pair, [](Pair* there) { return there->second; }));
}

}  // namespace
