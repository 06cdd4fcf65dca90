/// Tests of the results of collectives. Other files test barrier() and the messages of collectives.

#include "tests/harness/random_seed.hpp"
#include <Grappa.hpp>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

int64_t phase = 0;  // each core has its own instance

TEST(Allreduce, CombinesTheValuesOfAllCoresEverywhere) {
  on_all_cores([] {
    const int64_t me = mycore(), n = cores();
    EXPECT_EQ(n * (n - 1) / 2, (allreduce<int64_t, collective_add<int64_t>>(me)));
    EXPECT_EQ(n - 1, (allreduce<int64_t, collective_max<int64_t>>(me)));
    EXPECT_EQ(5, (allreduce<int64_t, collective_min<int64_t>>(me + 5))) << "T() takes no part";
    EXPECT_EQ(-1, (allreduce<int64_t, collective_max<int64_t>>(-me - 1))) << "T() takes no part";
    EXPECT_TRUE((allreduce<bool, collective_and<bool>>(true)));
    EXPECT_EQ(n == 1, (allreduce<bool, collective_and<bool>>(me == 0)));
    EXPECT_TRUE((allreduce<bool, collective_or<bool>>(me == n - 1)));
  });
}

double minus(const double& a, const double& b) { return a - b; }

double of_core(int core) { return core == 0 ? 100 : core; }

/// Combines in the documented order: first the cores of the locale, then the locales of its
/// subtree.
double minus_from(Locale locale) {
  bool first = true;
  double all = 0;
  for (int core = 0; core < cores(); ++core) {
    if (locale_of(static_cast<Core>(core)) != locale) continue;
    all = first ? of_core(core) : minus(all, of_core(core));
    first = false;
  }
  for (int step = 1; locale % (2 * step) == 0 && step < locales(); step *= 2) {
    if (locale + step < locales()) all = minus(all, minus_from(static_cast<Locale>(locale + step)));
  }
  return all;
}

TEST(Allreduce, CombinesInTheOrderOfTheCores) {
  on_all_cores([] {
    double expected = 100;
    for (int core = 1; core < cores(); ++core) expected -= core;
    // The operation is not associative. If there are several locales, the result also depends on
    // the grouping of the values.
    if (locales() > 1) expected = minus_from(0);
    EXPECT_EQ(expected, (allreduce<double, minus>(of_core(mycore()))));
  });
}

/// The function x -> a x + b. The composition of such functions is not commutative.
struct Affine {
  uint32_t a, b;
  uint32_t operator()(uint32_t x) const { return a * x + b; }
};
Affine then(const Affine& first, const Affine& second) {
  return Affine{second.a * first.a, second.a * first.b + second.b};
}
Affine affine_of(int core) {
  const auto n = static_cast<uint32_t>(core);
  return Affine{3 + 2 * n, 7 + n};
}

TEST(Allreduce, TakesOperationsThatDoNotCommute) {
  on_all_cores([] {
    const Affine all = allreduce<Affine, then>(affine_of(mycore()));
    uint32_t x = 5;
    for (int core = 0; core < cores(); ++core) x = affine_of(core)(x);
    EXPECT_EQ(x, all(5));
  });
}

TEST(Allreduce, IsCorrectManyTimesInARow) {
  on_all_cores([] {
    for (int64_t k = 0; k < 500; ++k) {
      EXPECT_EQ(k * cores(), (allreduce<int64_t, collective_add<int64_t>>(k)));
    }
  });
}

TEST(Allreduce, IsTheSameBitByBitOnEveryCoreAndEveryTime) {
  const auto seed = random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  on_all_cores([seed] {
    std::mt19937 random(seed + static_cast<unsigned>(mycore()));
    const double mine = std::ldexp(1.0 + random() / 7.0, static_cast<int>(random() % 60));
    const double first = allreduce<double, collective_add>(mine);
    for (int k = 0; k < 100; ++k) {
      for (auto turns = random() % 8; turns > 0; --turns) yield();
      const double again = allreduce<double, collective_add>(mine);
      EXPECT_EQ(0, std::memcmp(&first, &again, sizeof first)) << first << " and " << again;
    }
    for (const double others : allgather(first)) {
      EXPECT_EQ(0, std::memcmp(&first, &others, sizeof first)) << first << " and " << others;
    }
  });
}

template <class T, T (*op)(const T&, const T&)>
void expect_of_two(T expected, T first, T second) {
  EXPECT_EQ(expected, op(first, second));
  const T found = allreduce<T, op>(mycore() == 0 ? first : second);
  EXPECT_EQ(cores() == 2 ? expected : found, found);
}

TEST(Allreduce, HasTheUsualOperations) {
  on_all_cores([] {
    expect_of_two<int, collective_add>(-3, 4, -7);
    expect_of_two<int, collective_sum>(-3, 4, -7);
    expect_of_two<int, collective_max>(4, 4, -7);
    expect_of_two<int, collective_min>(-7, 4, -7);
    expect_of_two<int, collective_mult>(-28, 4, -7);
    expect_of_two<int, collective_prod>(-28, 4, -7);
    expect_of_two<int, collective_and>(1, 4, 2);
    expect_of_two<int, collective_land>(1, 4, 2);
    expect_of_two<int, collective_band>(2, 6, 3);
    expect_of_two<int, collective_or>(1, 4, 2);
    expect_of_two<int, collective_lor>(1, 0, 2);
    expect_of_two<int, collective_bor>(7, 6, 3);
    expect_of_two<int, collective_xor>(0, 4, 2);
    expect_of_two<int, collective_lxor>(1, 0, 2);
    expect_of_two<int, collective_bxor>(5, 6, 3);
    expect_of_two<int8_t, collective_add>(-3, 4, -7);
    expect_of_two<bool, collective_bxor>(true, true, false);
  });
}

template <size_t N>
struct Bytes {
  unsigned char bytes[N];
};
template <size_t N>
Bytes<N> add_bytes(const Bytes<N>& a, const Bytes<N>& b) {
  Bytes<N> sum;
  for (size_t k = 0; k < N; ++k) sum.bytes[k] = static_cast<unsigned char>(a.bytes[k] + b.bytes[k]);
  return sum;
}

/// The byte at index k in element `element` of core `core`.
unsigned char byte_of(int core, size_t element, size_t k) {
  return static_cast<unsigned char>(static_cast<size_t>(core) * 31 + element * 7 + k);
}

template <size_t N>
void expect_sums_of_arrays(size_t n) {
  SCOPED_TRACE(testing::Message() << n << " elements of " << N << " bytes");
  std::vector<Bytes<N>> values(n);
  for (size_t element = 0; element < n; ++element) {
    for (size_t k = 0; k < N; ++k) values[element].bytes[k] = byte_of(mycore(), element, k);
  }
  allreduce_inplace<Bytes<N>, add_bytes>(values.data(), n);
  size_t wrong = 0;
  for (size_t element = 0; element < n; ++element) {
    for (size_t k = 0; k < N; ++k) {
      unsigned char sum = 0;
      for (int core = 0; core < cores(); ++core) {
        sum = static_cast<unsigned char>(sum + byte_of(core, element, k));
      }
      if (values[element].bytes[k] != sum) ++wrong;
    }
  }
  EXPECT_EQ(0u, wrong);
}

TEST(AllreduceInplace, TakesArraysOfAnyLength) {
  on_all_cores([] {
    for (const size_t n : {0, 1, 2, 1000}) expect_sums_of_arrays<1>(n);
    // The lengths are close to the size of one piece and of several pieces. Elements of 24 bytes do
    // not fill a piece.
    for (const size_t n : {1023, 1024, 1025, 4095, 4096, 4097, 5000}) expect_sums_of_arrays<8>(n);
    for (const size_t n : {341, 342, 1000}) expect_sums_of_arrays<24>(n);
    for (const size_t n : {0, 1, 2, 9}) expect_sums_of_arrays<5000>(n);
    for (const size_t n : {0, 1, 7}) expect_sums_of_arrays<kMaxClosureBytes>(n);
    expect_sums_of_arrays<8>(100000);
  });
}

TEST(AllreduceInplace, WaitsForCoresThatComeLate) {
  on_all_cores([] {
    for (int late = 0; late < cores(); ++late) {
      for (int turns = 0; mycore() == late && turns < 50; ++turns) yield();
      expect_sums_of_arrays<8>(20000);  // more pieces than concurrent rounds
    }
  });
}

template <size_t N>
void expect_broadcasts() {
  for (int root = 0; root < cores(); ++root) {
    Bytes<N> value;
    std::memset(&value, mycore() + 1, N);
    value = broadcast(value, static_cast<Core>(root));
    EXPECT_EQ(root + 1, value.bytes[0]);
    EXPECT_EQ(root + 1, value.bytes[N - 1]);
  }
}

TEST(Broadcast, GivesAllCoresTheValueOfTheRoot) {
  on_all_cores([] {
    expect_broadcasts<1>();
    expect_broadcasts<100>();
    expect_broadcasts<kMaxClosureBytes>();
  });
}

TEST(Allgather, IsIndexedByCore) {
  on_all_cores([] {
    const std::vector<int64_t> squares = allgather<int64_t>(mycore() * mycore());
    ASSERT_EQ(static_cast<size_t>(cores()), squares.size());
    for (int64_t core = 0; core < cores(); ++core) {
      EXPECT_EQ(core * core, squares[static_cast<size_t>(core)]);
    }
    const std::vector<bool> odd = allgather(mycore() % 2 == 1);
    for (int core = 0; core < cores(); ++core) {
      EXPECT_EQ(core % 2 == 1, odd[static_cast<size_t>(core)]);
    }
  });
}

template <size_t N>
void expect_gathered() {
  Bytes<N> mine;
  std::memset(&mine, mycore() + 1, N);
  const std::vector<Bytes<N>> all = allgather(mine);
  for (int core = 0; core < cores(); ++core) {
    EXPECT_EQ(core + 1, all[static_cast<size_t>(core)].bytes[0]);
    EXPECT_EQ(core + 1, all[static_cast<size_t>(core)].bytes[N - 1]);
  }
}

TEST(Allgather, TakesMoreThanFitsInOneMessage) {
  on_all_cores([] {
    expect_gathered<3000>();
    expect_gathered<5000>();
    expect_gathered<kMaxClosureBytes>();
  });
}

void take_part(unsigned kind, int k) {
  const int64_t me = mycore(), n = cores(), root = k % n;
  std::vector<int64_t> values(static_cast<size_t>(k) * 37, me);
  switch (kind) {
    case 0: barrier(); break;
    case 1: EXPECT_EQ(n - 1 + k, (allreduce<int64_t, collective_max>(me + k))); break;
    case 2: EXPECT_EQ(root + k, broadcast<int64_t>(me + k, static_cast<Core>(root))); break;
    case 3: EXPECT_EQ(root + k, allgather(me + k)[static_cast<size_t>(root)]); break;
    case 4:
      allreduce_inplace<int64_t, collective_add>(values.data(), values.size());
      for (const int64_t value : values) EXPECT_EQ(n * (n - 1) / 2, value);
      break;
  }
}

TEST(Collectives, FollowEachOtherInAnyOrder) {
  const auto seed = random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  on_all_cores([seed] {
    std::mt19937 order(seed), delays(seed + 1 + static_cast<unsigned>(mycore()));
    for (int k = 0; k < 200; ++k) {
      for (auto turns = delays() % 8; turns > 0; --turns) yield();
      take_part(static_cast<unsigned>(order() % 5), k);
    }
  });
}

TEST(OnAllCores, RunsOneTaskOnEachCore) {
  on_all_cores([] { phase = 0; });
  on_all_cores([] {
    yield();
    ++phase;
  });
  on_all_cores([] { EXPECT_EQ(1, phase); });
}

struct Counted {
  explicit Counted(int64_t start) : value(start) { ++alive; }
  ~Counted() { --alive; }
  int64_t value;
  char padding[100];  // more bytes than a block has
  static int64_t alive;
};
int64_t Counted::alive = 0;

TEST(Symmetric, IsOneObjectOnEachCoreUnderOneAddress) {
  auto object = symmetric<Counted>(int64_t{7});
  on_all_cores([=] {
    EXPECT_EQ(1, Counted::alive);
    EXPECT_EQ(7, object->value);
    object->value = mycore();
  });
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(core, delegate::call(core, [=] { return object->value; }));
  }
  const size_t free_before = heap_bytes_free();
  global_free(object);
  on_all_cores([] { EXPECT_EQ(0, Counted::alive); });
  EXPECT_LE(free_before, heap_bytes_free());
}

TEST(Allreduce, OperationsTakeRealNumbersAndBools) {
  EXPECT_EQ(0.75, collective_add(0.5, 0.25));
  EXPECT_EQ(0.75, collective_sum(0.5, 0.25));
  EXPECT_EQ(0.125, collective_mult(0.5, 0.25));
  EXPECT_EQ(0.125, collective_prod(0.5, 0.25));
  EXPECT_EQ(-0.25, collective_max(-0.5, -0.25));
  EXPECT_EQ(-0.5, collective_min(-0.5, -0.25));
  EXPECT_EQ(1.0, collective_land(0.5, 0.25));
  EXPECT_EQ(1.0, collective_lor(0.0, 0.25));
  EXPECT_EQ(0.0, collective_lxor(0.5, 0.25));
  EXPECT_FALSE(collective_and(true, false));
  EXPECT_TRUE(collective_or(true, false));
  EXPECT_TRUE(collective_xor(true, false));
  EXPECT_FALSE(collective_lxor(true, true));
}

}  // namespace
