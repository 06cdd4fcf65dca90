/// Compares copies and fills with a model. After each operation, the owners check every element of
/// the destination array, including elements outside of the range.

#include "system/parallel/bulk.hpp"

#include "system/net/transport.hpp"
#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

template <size_t Bytes>
struct Element {
  unsigned char bytes[Bytes];
};

/// The initial value of byte `b` in element `index` of an array with this seed.
unsigned char byte_of(uint32_t seed, int64_t index, size_t b) {
  const uint64_t x = (static_cast<uint64_t>(index) * 67 + b + seed) * 0x9E3779B97F4A7C15u;
  return static_cast<unsigned char>(x >> 56);
}

template <class T>
T value_of(uint32_t seed, int64_t index) {
  T value;
  for (size_t b = 0; b < sizeof(T); ++b) value.bytes[b] = byte_of(seed, index, b);
  return value;
}

template <class T>
bool same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Runs body(index, element) for all elements of a linear array at their owners. Elements whose
/// size does not divide a block are not supported, so the second overload does nothing.
template <class T, class F>
void visit(GlobalAddress<T> base, int64_t n, F body, std::true_type) {
  forall(base, n, [body](int64_t i, T& element) { body(i, element); });
}
template <class T, class F>
void visit(GlobalAddress<T>, int64_t, F, std::false_type) {}

template <class T, class F>
void at_owners(GlobalAddress<T> base, int64_t n, F body) {
  if (base.is_linear()) {
    visit(base, n, body, std::integral_constant<bool, block_size % sizeof(T) == 0>());
  } else {
    delegate::call(base.core(), [base, n, body] {
      for (int64_t i = 0; i < n; ++i) body(i, base.pointer()[i]);
    });
  }
}

/// Runs `body` in a task on `core`, and waits for it.
template <class F>
void run_on(Core core, F body) {
  finish([core, body] { delegate::call<async>(core, [body] { spawn(body); }); });
}

/// An array of `n` elements. It is a linear array or an array on one core.
template <class T>
struct Array {
  Array(int64_t length, int where) : n(length) {
    if (where < 0) {
      base = GlobalAddress<T>::from_raw(
          static_cast<GlobalAddress<char>>(global_alloc<char>(size_t(n) * sizeof(T))).raw_bits());
    } else {
      base = delegate::call(Core(where), [length] { return make_global(new T[size_t(length)]); });
    }
  }
  ~Array() {
    const GlobalAddress<T> mine = base;
    if (base.is_linear()) {
      global_free(base);
    } else {
      delegate::call(base.core(), [mine] { delete[] mine.pointer(); });
    }
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  void write(uint32_t seed) {
    at_owners(base, n, [seed](int64_t i, T& element) { element = value_of<T>(seed, i); });
  }

  /// Checks that `count` elements, beginning with `first`, are copies of the elements of another
  /// array (seed `copied`), beginning with `from`. All other elements must be unchanged.
  void check(uint32_t seed, int64_t first, int64_t count, uint32_t copied, int64_t from) {
    at_owners(base, n, [=](int64_t i, T& element) {
      const bool inside = first <= i && i < first + count;
      const T wanted = inside ? value_of<T>(copied, from + i - first) : value_of<T>(seed, i);
      EXPECT_TRUE(same(wanted, element))
          << "element " << i << " of " << sizeof(T) << " bytes; copied: " << count << " from "
          << from << " to " << first;
    });
  }

  GlobalAddress<T> base;
  int64_t n;
};

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  int64_t below(int64_t n) { return static_cast<int64_t>(engine_() % static_cast<uint64_t>(n)); }

  /// Returns a random core, or -1 for a linear array. Returns -1 only if `may_be_linear`.
  int place(bool may_be_linear) {
    return static_cast<int>(may_be_linear && below(2) == 0 ? -1 : below(cores()));
  }

 private:
  std::mt19937_64 engine_;
};

/// A random length. Most lengths are up to 100 elements, but some need more than several messages.
int64_t some_length(Random* random, int64_t n) {
  return random->below(4) == 0 ? random->below(n + 1)
                               : random->below(std::min<int64_t>(n, 100) + 1);
}

template <size_t Bytes>
void copy_at_random(uint32_t seed, int turns) {
  typedef Element<Bytes> T;
  Random random(seed);
  for (int turn = 0; turn < turns; ++turn) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", turn " << turn);
    const int64_t n = 1 + random.below(turn % 8 == 0 ? 300000 / int64_t{Bytes} : 600);
    Array<T> source(n, random.place(64 % Bytes == 0)), target(n, random.place(64 % Bytes == 0));
    source.write(1);
    target.write(2);
    const int64_t count = some_length(&random, n);
    const int64_t from = random.below(n - count + 1), to = random.below(n - count + 1);
    const auto src = source.base + from, dst = target.base + to;
    run_on(Core(random.below(cores())), [dst, src, count] { Grappa::memcpy(dst, src, count); });
    target.check(2, to, count, 1, from);
    source.check(1, 0, 0, 1, 0);
  }
}

TEST(Memcpy, CopiesAnyRangeToAnyPosition) {
  copy_at_random<1>(11, 24);
  copy_at_random<2>(12, 16);
  copy_at_random<4>(13, 24);
  copy_at_random<8>(14, 40);
  copy_at_random<16>(15, 24);
  copy_at_random<32>(16, 16);
  copy_at_random<64>(17, 24);
}

TEST(Memcpy, CopiesElementsLargerThanABlock) {
  copy_at_random<3>(21, 8);
  copy_at_random<24>(22, 8);
  copy_at_random<40>(23, 8);
  copy_at_random<63>(24, 8);
}

TEST(Memcpy, CopiesForEveryOffsetWithinABlock) {
  typedef Element<1> T;
  const int64_t n = 64 * 3 * cores() + 77;
  Array<T> source(n, -1), target(n, -1);
  source.write(1);
  for (int64_t shift = 0; shift < 64 * cores(); shift += shift < 64 ? 1 : 19) {
    target.write(2);
    const int64_t from = shift % 7, count = n - from - shift;
    Grappa::memcpy(target.base + shift, source.base + from, count);
    target.check(2, shift, count, 1, from);
  }
}

TEST(Memcpy, CopiesWithinAnArrayWhereTheRangesDoNotOverlap) {
  typedef Element<8> T;
  Array<T> array(1000, -1);
  array.write(1);
  Grappa::memcpy(array.base + 505, array.base + 2, 480);
  array.check(1, 505, 480, 1, 2);
  Grappa::memcpy(array.base + 7, array.base + 7, 900);
  array.check(1, 505, 480, 1, 2);
  array.write(1);
  Grappa::memcpy(array.base + 500, array.base, 500);  // the ranges are adjacent
  array.check(1, 500, 500, 1, 0);
}

TEST(Memcpy, TakesPointersOfThisCore) {
  typedef Element<8> T;
  Array<T> array(5000, -1);
  array.write(1);
  const GlobalAddress<T> base = array.base;
  run_on(Core(cores() - 1), [base] {
    std::vector<T> here(4000);
    Grappa::memcpy(here.data(), base + 13, 4000);
    for (int64_t k = 0; k < 4000; ++k) EXPECT_TRUE(same(value_of<T>(1, 13 + k), here[size_t(k)]));
    for (int64_t k = 0; k < 4000; ++k) here[size_t(k)] = value_of<T>(5, k);
    const T* read_only = here.data();
    Grappa::memcpy(base + 3, read_only, 4000);
  });
  array.check(1, 3, 4000, 5, 0);
}

TEST(Memcpy, ReadsAnArrayOfConstants) {
  auto array = global_alloc<int64_t>(100);
  forall(array, 100, [](int64_t i, int64_t& element) { element = i; });
  int64_t here[100];
  Grappa::memcpy(here, GlobalAddress<const int64_t>(array), 100);
  for (int64_t k = 0; k < 100; ++k) EXPECT_EQ(k, here[k]);
  global_free(array);
}

TEST(Memcpy, CopiesNothingIfTheCountIsZero) {
  Grappa::memcpy(GlobalAddress<int>(), GlobalAddress<int>(), 0);
  Grappa::memcpy_async(GlobalAddress<int>(), GlobalAddress<int>(), 0);
  memset(GlobalAddress<int>(), 0, 0);
}

TEST(Memcpy, OfTwoPointersCountsBytesThoughGrappasNamesAreVisible) {
  int64_t from[10], to[10];
  const int signed_bytes = 5 * sizeof(int64_t);
  const long long_bytes = signed_bytes;
  memset(from, 7, sizeof from);
  memset(to, 1, long_bytes);
  memset(to + 5, 1, signed_bytes);
  memcpy(to, from, signed_bytes);
  memcpy(to, static_cast<const int64_t*>(from), long_bytes);
  for (int k = 0; k < 10; ++k) {
    EXPECT_EQ(k < 5 ? 0x0707070707070707 : 0x0101010101010101, to[k]);
  }
}

TEST(MemcpyAsync, HasEndedWhenItsScopeHas) {
  typedef Element<8> T;
  const int64_t n = 20000;
  Array<T> source(n, -1), target(n, -1);
  source.write(1);
  target.write(2);
  std::vector<T> here(5000);
  finish([&] {
    for (int64_t k = 0; k < 10; ++k) {
      memcpy_async(target.base + 1000 * k, source.base + 1000 * k + 5, 1000);
    }
    memcpy_async(here.data(), source.base + 17, 5000);
  });
  target.check(2, 0, 10000, 1, 5);
  for (int64_t k = 0; k < 5000; ++k) EXPECT_TRUE(same(value_of<T>(1, 17 + k), here[size_t(k)]));
}

GlobalCompletionEvent event;

TEST(MemcpyAsync, OfAnEventHasEndedWhenTheEventHas) {
  typedef Element<8> T;
  const int64_t n = 5000;
  Array<T> source(n, -1), target(n, -1), elsewhere(n, cores() - 1);
  source.write(1);
  target.write(2);
  elsewhere.write(3);
  std::vector<T> here(5000), copy(5000);
  for (int64_t k = 0; k < n; ++k) here[size_t(k)] = value_of<T>(4, k);
  const T* const constant = here.data();
  memcpy_async<&event>(target.base, source.base + 7, 1000);
  memcpy_async<&event>(target.base + 1000, elsewhere.base, 1000);
  memcpy_async<&event>(target.base + 2000, constant, 1000);
  memcpy_async<&event>(elsewhere.base + 1000, here.data(), 1000);
  memcpy_async<&event>(copy.data(), source.base, 1000);
  memcpy_async<&event>(copy.data() + 1000, constant, 1000);
  memcpy_async<&event>(copy.data(), source.base, 0);
  EXPECT_LT(0, event.incomplete());  // the tasks have not run
  event.wait();
  const auto base = target.base;
  for (int64_t k = 0; k < 1000; k += 37) {
    EXPECT_TRUE(same(value_of<T>(1, 7 + k), delegate::read(base + k)));
    EXPECT_TRUE(same(value_of<T>(3, k), delegate::read(base + 1000 + k)));
    EXPECT_TRUE(same(value_of<T>(4, k), delegate::read(base + 2000 + k)));
    EXPECT_TRUE(same(value_of<T>(4, k), delegate::read(elsewhere.base + 1000 + k)));
    EXPECT_TRUE(same(value_of<T>(1, k), copy[size_t(k)]));
    EXPECT_TRUE(same(value_of<T>(4, k), copy[size_t(1000 + k)]));
  }
}

TEST(Memcpy, OfManyTasksAtOnceIsCorrect) {
  typedef Element<8> T;
  const int64_t each = 3001, tasks = 12;
  Array<T> source(each * tasks, -1), target(each * tasks, -1);
  source.write(1);
  target.write(2);
  const auto src = source.base, dst = target.base;
  forall(0, tasks,
         [=](int64_t k) { Grappa::memcpy(dst + k * each, src + (tasks - 1 - k) * each, each); });
  for (int64_t k = 0; k < tasks; ++k) {
    const T last = delegate::read(dst + k * each + each - 1);
    EXPECT_TRUE(same(value_of<T>(1, (tasks - 1 - k) * each + each - 1), last));
  }
}

/// The number of bulk messages that all cores have sent.
uint64_t bulk_messages() {
  return uint64_t(sum_all_cores([] { return int64_t(counted("global.bulk_messages")); }));
}

TEST(Memcpy, SendsNothingForBlocksThatStayOnTheirCore) {
  const int64_t n = 100000;
  auto source = global_alloc<int64_t>(n), target = global_alloc<int64_t>(n + 8 * cores());
  memset(source, 3, n);
  const uint64_t before = bulk_messages();
  Grappa::memcpy(target + 8 * cores(), source, n);
  EXPECT_EQ(before, bulk_messages());
  forall(target + 8 * cores(), n, [](int64_t& element) { EXPECT_EQ(3, element); });
  global_free(target);
  global_free(source);
}

TEST(Memcpy, FillsItsMessages) {
  if (cores() == 1) return;
  const int64_t n = 400000;
  auto source = global_alloc<int64_t>(n), target = global_alloc<int64_t>(n + 100);
  memset(source, 3, n);
  for (const int64_t shift : {8, 3}) {
    const uint64_t before = bulk_messages();
    Grappa::memcpy(target + shift, source, n);
    // For each core there are two streams, and each stream may end with a message that is not full.
    // The data of a full message fill the buffer, except for up to 256 bytes.
    const uint64_t full = n * 8 / (transport().payload_bytes() - 256) + 1;
    EXPECT_LE(bulk_messages() - before, full + 2 * uint64_t(cores())) << "shifted by " << shift;
  }
  global_free(target);
  global_free(source);
}

TEST(Memset, SetsTheRangeAndNothingElse) {
  Random random(31);
  for (int turn = 0; turn < 40; ++turn) {
    const int where = random.place(true);
    const int64_t n = 1 + random.below(3000);
    Array<int32_t> array(n, where);
    at_owners(array.base, n, [](int64_t i, int32_t& element) { element = int32_t(i); });
    const int64_t count = some_length(&random, n), first = random.below(n - count + 1);
    const auto base = array.base + first;
    run_on(Core(random.below(cores())), [base, count] { Grappa::memset(base, -5, count); });
    at_owners(array.base, n, [=](int64_t i, int32_t& element) {
      EXPECT_EQ(first <= i && i < first + count ? -5 : i, element);
    });
  }
}

TEST(Memset, AsyncHasEndedWhenItsScopeHas) {
  auto array = global_alloc<int64_t>(10000);
  finish([array] { memset_async(array, 9, 10000); });
  forall(array, 10000, [](int64_t& element) { EXPECT_EQ(9, element); });
  global_free(array);
}

TEST(Memset, SetsElementsLargerThanABlock) {
  typedef Element<24> T;
  Array<T> array(100, cores() - 1);
  array.write(1);
  memset(array.base + 10, value_of<T>(9, 9), 50);
  at_owners(array.base, 100, [](int64_t i, T& element) {
    EXPECT_TRUE(same(10 <= i && i < 60 ? value_of<T>(9, 9) : value_of<T>(1, i), element));
  });
}

TEST(Memset, SetsElementsAsLargeAsABlock) {
  typedef Element<block_size> T;
  Array<T> array(100, -1);
  memset(array.base, value_of<T>(9, 9), 100);
  at_owners(array.base, 100, [](int64_t, T& e) { EXPECT_TRUE(same(value_of<T>(9, 9), e)); });
}

TEST(Memory, HoldsBools) {
  const auto flags = global_alloc<bool>(200);
  Grappa::memset(flags, true, 200);
  delegate::write(flags + 100, false);
  bool here[200];
  Grappa::memcpy(here, flags, 200);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(i != 100, here[i]) << i;
  global_free(flags);
}

TEST(MemcpyAsync, OfPointersHasEndedWhenItsScopeHas) {
  auto array = global_alloc<int64_t>(700);
  const std::vector<int64_t> here(700, 5);
  std::vector<int64_t> copy(700);
  finish([&] {
    memcpy_async(array, here.data(), 700);
    memcpy_async(copy.data(), here.data(), 700);
  });
  forall(array, 700, [](int64_t& element) { EXPECT_EQ(5, element); });
  EXPECT_EQ(here, copy);
  global_free(array);
}

}  // namespace
