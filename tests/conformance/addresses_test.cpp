/// Reference section "Addresses and memory": addresses.

#include "tests/conformance/samples.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

using namespace conformance;

namespace {

struct Pair {
  int32_t first;
  int64_t second;
};

struct Padded {
  int64_t word;
  char more[30];
} GRAPPA_BLOCK_ALIGNED;

int64_t here;  // on each core
Pair pair_here;
Triple triples_here[5];

constexpr int64_t kWords = 205;  // not a multiple of a block

class Addresses : public testing::Test {
 protected:
  Addresses() : words(sample_array<int64_t>(kWords)) {}
  ~Addresses() override { global_free(words); }

  const GlobalAddress<int64_t> words;
};

TEST_F(Addresses, Core) {
  // Blocks of 8 words are distributed round robin.
  for (int64_t k = 0; k < kWords; ++k)
    EXPECT_EQ((words.core() + k / 8) % cores(), (words + k).core());
  const auto records = global_alloc<Record>(10);
  for (int64_t k = 0; k < 10; ++k) EXPECT_EQ((records.core() + k) % cores(), (records + k).core());
  global_free(records);
  for (const Grappa::Core core : some_cores()) EXPECT_EQ(core, make_global(&here, core).core());
}

TEST_F(Addresses, Pointer) {
  for (const int64_t k : {int64_t{0}, int64_t{7}, int64_t{8}, int64_t{99}, kWords - 1}) {
    const auto word = words + k;
    EXPECT_EQ(word.pointer(), delegate::call(word, [](int64_t* at) { return at; }));
    EXPECT_EQ(sample<int64_t>(k), delegate::call(word.core(), [word] { return *word.pointer(); }));
  }
  EXPECT_EQ(&here, make_global(&here, last_core()).pointer());
}

TEST_F(Addresses, TwoDimensionalOrLinear) {
  EXPECT_TRUE(words.is_linear());
  EXPECT_FALSE(words.is_2D());
  EXPECT_TRUE(make_global(&here).is_2D());
  EXPECT_FALSE(make_global(&here).is_linear());
}

TEST_F(Addresses, RawBits) {
  static_assert(sizeof(GlobalAddress<Record>) == 8, "");
  static_assert(std::is_trivially_copyable<GlobalAddress<Record>>::value, "");
  EXPECT_EQ(words.raw_bits(), GlobalAddress<double>(words).raw_bits());
  EXPECT_NE(words.raw_bits(), (words + 1).raw_bits());
  EXPECT_NE(make_global(&here, 0).raw_bits() >> 63, words.raw_bits() >> 63);
  const uint64_t bits = words.raw_bits();
  const auto base = words;
  EXPECT_TRUE(delegate::call(last_core(), [base, bits] { return base.raw_bits() == bits; }));
}

TEST_F(Addresses, Localize) {
  // Each core visits its part of a range by localize(), as programs do.
  const auto base = words;
  for (const int64_t n : {int64_t{0}, int64_t{1}, int64_t{8}, int64_t{100}, kWords - 3}) {
    const int64_t sum = sum_all_cores([base, n] {
      int64_t mine = 0;
      int64_t* const end = (base + 3 + n).localize();
      for (int64_t* word = (base + 3).localize(); word < end; ++word) mine += *word;
      return mine;
    });
    int64_t expected = 0;
    for (int64_t k = 3; k < 3 + n; ++k) expected += sample<int64_t>(k);
    EXPECT_EQ(expected, sum) << n << " words";
  }
  for (Grappa::Core core = 0; core < cores(); ++core) {
    EXPECT_EQ((base + 3).localize(core),
              delegate::call(core, [base] { return (base + 3).localize(); }));
  }
}

TEST_F(Addresses, BlockMinAndBlockMax) {
  for (int64_t k = 0; k < kWords; ++k) {
    EXPECT_EQ(words + k / 8 * 8, (words + k).block_min());
    EXPECT_EQ(words + (k / 8 + 1) * 8, (words + k).block_max());
  }
}

TEST_F(Addresses, FirstByteAndLastByte) {
  for (const int64_t k : {0, 7, 100}) {
    const auto word = words + k;
    EXPECT_EQ(0, word.first_byte() - GlobalAddress<char>(word));
    EXPECT_EQ(7, word.last_byte() - word.first_byte());
    EXPECT_EQ(word.core(), word.last_byte().core());
  }
  const auto triple = make_global(&triples_here[1], last_core());
  EXPECT_EQ(23, triple.last_byte() - triple.first_byte());
  EXPECT_EQ(reinterpret_cast<char*>(&triples_here[1]), triple.first_byte().pointer());
}

TEST_F(Addresses, IncrementAndDecrement) {
  auto word = words;
  EXPECT_EQ(words, word++);
  EXPECT_EQ(words + 2, ++word);
  EXPECT_EQ(words + 2, word--);
  EXPECT_EQ(words, --word);
  int64_t k = 0;
  for (auto at = words; at < words + kWords; ++at, ++k) {
    ASSERT_EQ(sample<int64_t>(k), delegate::read(at));
  }
  EXPECT_EQ(kWords, k);
}

TEST_F(Addresses, PlusAndMinus) {
  auto word = words;
  word += 100;
  EXPECT_EQ(words + 100, word);
  word -= 30;
  EXPECT_EQ(words + 70, word);
  EXPECT_EQ(words, word - 70);
  EXPECT_EQ(sample<int64_t>(71), delegate::read(word + 1));
  EXPECT_EQ(sample<int64_t>(69), delegate::read(word + -1));
  // The element size on one core need not be a power of two.
  const auto triple = make_global(triples_here, last_core());
  EXPECT_EQ(&triples_here[3], (triple + 3).pointer());
  EXPECT_EQ(last_core(), (triple + 4 - 1).core());
}

TEST_F(Addresses, Difference) {
  EXPECT_EQ(0, words - words);
  EXPECT_EQ(100, (words + 100) - words);
  EXPECT_EQ(-99, (words + 1) - (words + 100));
  const auto triple = make_global(triples_here, last_core());
  EXPECT_EQ(3, (triple + 3) - triple);
  EXPECT_EQ(-3, triple - (triple + 3));
}

TEST_F(Addresses, Comparisons) {
  const auto later = words + 9;
  EXPECT_TRUE(words == later - 9);
  EXPECT_FALSE(words == later);
  EXPECT_TRUE(words != later);
  EXPECT_FALSE(words != words);
  EXPECT_TRUE(words < later);
  EXPECT_FALSE(later < words);
  EXPECT_FALSE(words < words);
}

TEST_F(Addresses, Arrow) {
  // A symmetric address refers to the object of each core. Other addresses are used at the owner.
  const auto pairs = symmetric<Pair>();
  on_all_cores([pairs] { pairs->second = 10 + mycore(); });
  for (Grappa::Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(10 + core, delegate::call(core, [pairs] { return pairs->second; }));
  }
  global_free(pairs);
  pair_here.second = 77;
  EXPECT_EQ(77, make_global(&pair_here)->second);
}

TEST_F(Addresses, Bool) {
  EXPECT_FALSE(GlobalAddress<int64_t>());
  EXPECT_FALSE(GlobalAddress<int64_t>(nullptr));
  EXPECT_TRUE(static_cast<bool>(words));
  EXPECT_TRUE(static_cast<bool>(make_global(&here)));
}

TEST_F(Addresses, Conversions) {
  const GlobalAddress<void> nameless = words + 5;
  EXPECT_EQ((words + 5).raw_bits(), nameless.raw_bits());
  const auto back = static_cast<GlobalAddress<int64_t>>(nameless);
  EXPECT_EQ(sample<int64_t>(5), delegate::read(back));
  const auto bytes = static_cast<GlobalAddress<unsigned char>>(words + 5);
  EXPECT_EQ(words + 6, static_cast<GlobalAddress<int64_t>>(bytes + 8));
}

TEST_F(Addresses, Print) {
  std::ostringstream linear, flat;
  linear << words + 8;
  flat << make_global(&here, last_core());
  std::ostringstream pointer;
  pointer << static_cast<const void*>(&here);
  const std::string core = "core " + std::to_string((words + 8).core());
  EXPECT_NE(std::string::npos, linear.str().find(core)) << linear.str();
  EXPECT_NE(std::string::npos, flat.str().find(pointer.str())) << flat.str();
}

TEST_F(Addresses, MakeGlobal) {
  on_all_cores([] { here = 10 * mycore(); });
  EXPECT_EQ(mycore(), make_global(&here).core());
  for (const Grappa::Core core : some_cores()) {
    EXPECT_EQ(10 * core, delegate::read(make_global(&here, core)));
  }
  on_all_cores([] { EXPECT_EQ(10 * mycore(), delegate::read(make_global(&here))); });
}

TEST_F(Addresses, MakeLinear) {
  const auto base = words;
  on_all_cores([base] {
    for (int64_t k = 0; k < kWords; ++k) {
      if ((base + k).core() != mycore()) continue;
      EXPECT_EQ(base + k, make_linear((base + k).pointer()));
    }
  });
}

TEST_F(Addresses, GlobalPointerToMember) {
  const auto there = make_global(&pair_here, last_core());
  delegate::call(there, [](Pair& pair) { pair = Pair{3, 4}; });
  EXPECT_EQ(3, delegate::read(global_pointer_to_member(there, &Pair::first)));
  delegate::write(global_pointer_to_member(there, &Pair::second), 5);
  EXPECT_EQ(5, delegate::call(there, [](Pair* pair) { return pair->second; }));

  const auto records = sample_array<Record>(9);
  for (int64_t k = 0; k < 9; ++k) {
    const auto weight = global_pointer_to_member(records + k, &Record::weight);
    EXPECT_EQ((records + k).core(), weight.core());
    EXPECT_EQ(sample<Record>(k).weight, delegate::read(weight));
  }
  global_free(records);
}

TEST_F(Addresses, IterateLocal) {
  const auto base = words;
  for (const int64_t n : {0, 1, 8, 150, 200}) {
    on_all_cores([base, n] {
      for (int64_t& word : iterate_local(base + 5, n)) word = -1;
    });
    std::vector<int64_t> expected = samples<int64_t>(kWords);
    std::fill_n(expected.begin() + 5, n, -1);
    EXPECT_EQ(expected, read_all(base, kWords));
  }
}

TEST_F(Addresses, BlockSize) {
  EXPECT_EQ(64, block_size);
  if (cores() == 1) return;
  EXPECT_EQ(words.core(), (words + block_size / 8 - 1).core());
  EXPECT_NE(words.core(), (words + block_size / 8).core());
}

TEST_F(Addresses, BlockAligned) {
  static_assert(sizeof(Padded) == 64 && alignof(Padded) == 64, "");
  const auto padded = global_alloc<Padded>(3 * static_cast<size_t>(cores()));
  for (int64_t k = 0; k < 3 * cores(); ++k) {
    EXPECT_EQ(padded + k, (padded + k).block_min());
    delegate::call(padded + k, [k](Padded& mine) { mine.word = k; });
  }
  for (int64_t k = 0; k < 3 * cores(); ++k) {
    EXPECT_EQ(k, delegate::call(padded + k, [](Padded& mine) { return mine.word; }));
  }
  global_free(padded);
}

}  // namespace
