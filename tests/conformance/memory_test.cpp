/// Reference section "Addresses and memory": allocation, and operations on arrays.

#include "tests/conformance/samples.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

using namespace conformance;

namespace {

struct Counted {
  static int64_t alive;  // on each core
  int64_t first;
  double second;
  explicit Counted(int64_t a = -1, double b = 0) : first(a), second(b) { ++alive; }
  ~Counted() { --alive; }
};
int64_t Counted::alive = 0;

struct Large {  // symmetric objects may have any size
  char bytes[1000];
  int64_t mark;
};

/// Expects that the `n` elements at `base` are sample(first), sample(first + 1), ...
template <class T>
void expect_samples(GlobalAddress<T> base, int64_t n, int64_t first) {
  EXPECT_TRUE(samples<T>(n, first) == read_all(base, n)) << n << " elements";
}

/// Expects that all `n` elements at `base` are sample(k).
template <class T>
void expect_all(int64_t k, GlobalAddress<T> base, int64_t n) {
  const std::vector<T> all(static_cast<size_t>(n), sample<T>(k));
  EXPECT_TRUE(all == read_all(base, n)) << n << " elements";
}

template <class T>
void allocate_and_free() {
  // All cores allocate several arrays concurrently. The arrays must not overlap.
  on_all_cores([] {
    const std::vector<int64_t> lengths = {0, 1, 7, 100, 333};
    std::vector<GlobalAddress<T>> arrays;
    for (const int64_t n : lengths) arrays.push_back(sample_array<T>(n));
    barrier();
    for (size_t k = 0; k < lengths.size(); ++k) expect_samples(arrays[k], lengths[k], 0);
    barrier();
    for (const GlobalAddress<T> array : arrays) {
      EXPECT_TRUE(array.is_linear());
      global_free(array);
    }
  });
}

TEST(Memory, GlobalAlloc) {
  allocate_and_free<int64_t>();
  allocate_and_free<double>();
  allocate_and_free<bool>();
  allocate_and_free<Record>();
}

TEST(Memory, HeapBytes) {
  const size_t before = heap_bytes_free();
  EXPECT_LE(before, heap_bytes_total());
  const auto array = global_alloc<char>(before / 2);
  EXPECT_LE(heap_bytes_free(), before - before / 2);
  global_free(array);
  EXPECT_EQ(before, heap_bytes_free());
}

TEST(Memory, GlobalFree) {
  const size_t most = heap_bytes_total() / 2;
  for (int k = 0; k < 5; ++k) {  // the heap has space for only one such array
    const auto array = global_alloc<char>(most + 1);
    const int64_t last = static_cast<int64_t>(most);
    delegate::write(array + last, 'x');
    EXPECT_EQ('x', delegate::read(array + last));
    global_free(array);
  }
}

TEST(Memory, SymmetricGlobalAlloc) {
  const auto word = symmetric_global_alloc<int64_t>();
  const auto large = symmetric_global_alloc<Large>();
  on_all_cores([word, large] {
    *word.pointer() = 5 * mycore();
    large->mark = 7 * mycore();
    large->bytes[999] = 'z';
  });
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(5 * core, delegate::read(make_global(word.pointer(), core)));
    EXPECT_EQ(7 * core, delegate::call(core, [large] { return large->mark; }));
  }
  global_free(word);
  global_free(large);
}

TEST(Memory, SymmetricGlobalAllocOfArrays) {
  const size_t before = heap_bytes_free();
  for (const size_t n : {size_t(1), size_t(7), size_t(9), size_t(1000)}) {
    const auto words = symmetric_global_alloc<int64_t>(n);
    const auto behind = symmetric_global_alloc<int64_t>();
    on_all_cores([words, behind, n] {
      for (size_t k = 0; k < n; ++k) words.pointer()[k] = int64_t(k) + 1000 * mycore();
      *behind.pointer() = -1;
    });
    for (Core core = 0; core < cores(); ++core) {
      for (size_t k = 0; k < n; ++k) {
        EXPECT_EQ(int64_t(k) + 1000 * core, delegate::read(make_global(words.pointer() + k, core)));
      }
    }
    global_free(words);
    global_free(behind);
  }
  EXPECT_EQ(before, heap_bytes_free());
}

TEST(Memory, Symmetric) {
  const auto plain = symmetric<Counted>();
  const auto given = symmetric<Counted>(int64_t{40}, 2.5);
  on_all_cores([plain, given] {
    EXPECT_EQ(2, Counted::alive);
    EXPECT_EQ(-1, plain->first);
    EXPECT_EQ(40, given->first);
    EXPECT_EQ(2.5, given->second);
    given->first += mycore();
  });
  EXPECT_EQ(40 + last_core(), delegate::call(last_core(), [given] { return given->first; }));
  global_free(given);
  on_all_cores([] { EXPECT_EQ(1, Counted::alive); });
  global_free(plain);
  on_all_cores([] { EXPECT_EQ(0, Counted::alive); });
}

TEST(Memory, LocaleAlloc) {
  on_all_cores([] {
    Triple* const triples = locale_alloc<Triple>(11);
    Record* const one = locale_alloc<Record>();
    const auto mine = make_global(triples, mycore());
    *one = sample<Record>(mycore());
    const auto only = make_global(one);
    // Delegates of any core can access the memory.
    spawnRemote(next_core(), [mine, only] {
      for (int64_t k = 0; k < 11; ++k) delegate::write(mine + k, sample<Triple>(k));
      EXPECT_TRUE(sample<Record>(only.core()) == delegate::read(only));
      delegate::call(mine.core(), [mine, only] {
        for (int64_t k = 0; k < 11; ++k) EXPECT_EQ(sample<Triple>(k), mine.pointer()[k]);
        locale_free(mine.pointer());
        locale_free(only.pointer());
      });
    });
  });
}

TEST(Memory, LocaleNew) {
  on_all_cores([] {
    int64_t* const word = locale_new<int64_t>(12);
    Counted* const counted = locale_new<Counted>(int64_t{3}, 4.5);
    EXPECT_EQ(12, *word);
    EXPECT_EQ(1, Counted::alive);
    EXPECT_EQ(7.5, static_cast<double>(counted->first) + counted->second);
    counted->~Counted();
    locale_free(counted);
    locale_free(word);
  });
}

TEST(Memory, LocaleNewArray) {
  on_all_cores([] {
    Triple* const triples = locale_new_array<Triple>(9);
    for (int k = 0; k < 9; ++k) EXPECT_EQ(Triple(), triples[k]);
    locale_free(triples);
  });
}

TEST(Memory, LocaleDelete) {
  on_all_cores([] {
    Counted* const counted = locale_new<Counted>();
    EXPECT_EQ(1, Counted::alive);
    locale_delete(counted);
    EXPECT_EQ(0, Counted::alive);
    locale_delete(static_cast<Counted*>(nullptr));
  });
}

TEST(Memory, LocaleFree) {
  on_all_cores([] {
    locale_free(locale_alloc<int64_t>(0));
    locale_free(locale_alloc<Record>(100000));
    locale_free(static_cast<int64_t*>(nullptr));
  });
}

/// Sets ranges that begin and end inside of blocks, and checks the adjacent elements.
template <class T>
void set_ranges() {
  const auto array = sample_array<T>(150);
  for (const int64_t n : {0, 1, 5, 64, 140}) {
    Grappa::memset(array + 3, sample<T>(1000), n);
    expect_samples(array, 3, 0);
    expect_all(1000, array + 3, n);
    expect_samples(array + 3 + n, 150 - 3 - n, 3 + n);
  }
  global_free(array);
}

TEST(Memory, MemsetGlobal) {
  set_ranges<int64_t>();
  set_ranges<double>();
  set_ranges<bool>();
  set_ranges<Record>();
}

TEST(Memory, MemsetOfOneCore) {
  on_all_cores([] {
    for (const Core core : some_cores()) {
      const auto triples =
          make_global(delegate::call(core, [] { return locale_alloc<Triple>(9); }), core);
      Grappa::memset(triples, sample<Triple>(2), 9);
      Grappa::memset(triples + 2, sample<Triple>(3), 5);
      expect_all(2, triples, 2);
      expect_all(3, triples + 2, 5);
      expect_all(2, triples + 7, 2);
      delegate::call(core, [triples] { locale_free(triples.pointer()); });
    }
  });
}

template <class T>
void copy_global_to_global() {
  const int64_t n = 300;
  const auto from = sample_array<T>(n), to = global_alloc<T>(static_cast<size_t>(n));
  for (const int64_t count : {0, 1, 6, 77, 280}) {
    Grappa::memset(to, sample<T>(-1), n);
    Grappa::memcpy(to + 9, from + 2, count);
    EXPECT_TRUE(sample<T>(-1) == delegate::read(to + 8));
    expect_samples(to + 9, count, 2);
    EXPECT_TRUE(sample<T>(-1) == delegate::read(to + 9 + count));
  }
  global_free(from);
  global_free(to);
}

TEST(Memory, MemcpyGlobalToGlobal) {
  copy_global_to_global<int64_t>();
  copy_global_to_global<double>();
  copy_global_to_global<bool>();
  copy_global_to_global<Record>();
}

TEST(Memory, MemcpyGlobalToLocal) {
  const auto array = sample_array<int64_t>(500);
  const auto records = sample_array<Record>(20);
  on_all_cores([array, records] {
    for (const int64_t n : {0, 1, 3, 70, 490}) {
      std::vector<int64_t> words(static_cast<size_t>(n) + 1, -1);
      Grappa::memcpy(words.data(), array + 5, n);
      for (int64_t k = 0; k < n; ++k)
        ASSERT_EQ(sample<int64_t>(5 + k), words[static_cast<size_t>(k)]);
      EXPECT_EQ(-1, words.back());
    }
    Record some[10];
    Grappa::memcpy(some, records + 4, 10);
    for (int64_t k = 0; k < 10; ++k) EXPECT_TRUE(sample<Record>(4 + k) == some[k]);
  });
  global_free(array);
  global_free(records);
}

TEST(Memory, MemcpyLocalToGlobal) {
  const int64_t each = 61;
  const auto array = global_alloc<double>(static_cast<size_t>(each * cores()));
  on_all_cores([array] {  // concurrently, into adjacent ranges
    std::vector<double> words;
    for (int64_t k = 0; k < each; ++k) words.push_back(sample<double>(each * mycore() + k));
    Grappa::memcpy(array + each * mycore(), words.data(), each);
    const double* const unchanged = words.data();
    Grappa::memcpy(array + each * mycore(), unchanged, 0);
  });
  expect_samples(array, each * cores(), 0);
  global_free(array);
}

TEST(Memory, MemcpyOfOneCore) {
  // The element size need not be a power of two. The caller need not own either side.
  for (const Core from_core : some_cores()) {
    for (const Core to_core : some_cores()) {
      const auto make = [](Core core) {
        return make_global(delegate::call(core, [] { return locale_alloc<Triple>(30); }), core);
      };
      const auto from = make(from_core), to = make(to_core);
      for (int64_t k = 0; k < 30; ++k) {
        delegate::write(from + k, sample<Triple>(k));
        delegate::write(to + k, sample<Triple>(99));
      }
      Grappa::memcpy(to + 1, from + 4, 25);
      expect_samples(to + 1, 25, 4);
      EXPECT_EQ(sample<Triple>(99), delegate::read(to));
      EXPECT_EQ(sample<Triple>(99), delegate::read(to + 26));
      delegate::call(from_core, [from] { locale_free(from.pointer()); });
      delegate::call(to_core, [to] { locale_free(to.pointer()); });
    }
  }
}

template <class T>
void sum_prefixes(int64_t n) {
  const auto array = global_alloc<T>(static_cast<size_t>(n + 4));
  std::vector<T> expected;
  for (int64_t k = 0; k < n + 4; ++k) expected.push_back(static_cast<T>(k % 10 + 1));
  Grappa::memcpy(array, expected.data(), n + 4);
  std::partial_sum(expected.begin() + 3, expected.end() - 1, expected.begin() + 3);
  prefix_sum(array + 3, n);
  std::vector<T> sums(expected.size());
  Grappa::memcpy(sums.data(), array, n + 4);
  EXPECT_EQ(expected, sums) << n;
  global_free(array);
}

TEST(Memory, MemsetConvertsTheValue) {
  const auto array = sample_array<double>(50);
  Grappa::memset(array + 1, 3, 48);
  EXPECT_EQ(sample<double>(0), delegate::read(array));
  EXPECT_EQ(std::vector<double>(48, 3.0), read_all(array + 1, 48));
  EXPECT_EQ(sample<double>(49), delegate::read(array + 49));
  global_free(array);
}

TEST(Memory, PrefixSum) {
  for (const int64_t n : {0, 1, 7, 500, 3001}) {
    sum_prefixes<int64_t>(n);
    sum_prefixes<double>(n);
  }
  sum_prefixes<int64_t>(10007);
}

}  // namespace
