/// Reference section "Collectives": operations that all cores perform together.

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace Grappa;

/// The contributions of core `core`. The tests compare results with folds over these values.
int64_t integer_of(int core) { return 3 + 5 * core % 7; }
double real_of(int core) { return 1.5 - core; }

/// Computes a reduction from core 0 to the last core without the library.
template <class T, class Of, class Op>
T fold(Of of, Op op) {
  T result = of(0);
  for (int core = 1; core < cores(); ++core) result = op(result, of(core));
  return result;
}

/// A user-defined value of 12 bytes, with a user-defined operation.
struct Place {
  int32_t height, core, count;
};
static_assert(sizeof(Place) == 12, "a size that is no power of two");
Place place_of(int core) { return {100 - (core - 1) * (core - 1), core, 1}; }
Place highest(const Place& a, const Place& b) {
  const Place& higher = b.height > a.height ? b : a;
  return {higher.height, higher.core, a.count + b.count};
}
void expect_highest(const Place& place) {
  const Place expected = fold<Place>(place_of, highest);
  EXPECT_EQ(expected.height, place.height);
  EXPECT_EQ(cores() == 1 ? 0 : 1, place.core);
  EXPECT_EQ(cores(), place.count);
}

// Tests a named operation. `expression` computes the expected result of a and b of type T.
#define TEST_ALLREDUCE(name, op, T, of, expression)                                        \
  TEST(Allreduce, name) {                                                                  \
    on_all_cores([] {                                                                      \
      const T expected = fold<T>(of, [](T a, T b) { return static_cast<T>(expression); }); \
      EXPECT_EQ(expected, (allreduce<T, op>(of(mycore()))));                               \
      T many[3] = {of(mycore()), of(mycore()), of(mycore())};                              \
      allreduce_inplace<T, op>(many, 3);                                                   \
      for (const T& each : many) EXPECT_EQ(expected, each);                                \
    });                                                                                    \
  }
TEST_ALLREDUCE(Add, collective_add, int64_t, integer_of, a + b)
TEST_ALLREDUCE(Sum, collective_sum, int64_t, integer_of, a + b)
TEST_ALLREDUCE(Max, collective_max, int64_t, integer_of, a > b ? a : b)
TEST_ALLREDUCE(Min, collective_min, int64_t, integer_of, a < b ? a : b)
TEST_ALLREDUCE(Mult, collective_mult, int64_t, integer_of, a* b)
TEST_ALLREDUCE(Prod, collective_prod, int64_t, integer_of, a* b)
TEST_ALLREDUCE(And, collective_and, int64_t, integer_of, (a != 0) & (b != 0))
TEST_ALLREDUCE(Land, collective_land, int64_t, integer_of, (a != 0) & (b != 0))
TEST_ALLREDUCE(Band, collective_band, int64_t, integer_of, a& b)
TEST_ALLREDUCE(Or, collective_or, int64_t, integer_of, (a != 0) | (b != 0))
TEST_ALLREDUCE(Lor, collective_lor, int64_t, integer_of, (a != 0) | (b != 0))
TEST_ALLREDUCE(Bor, collective_bor, int64_t, integer_of, a | b)
TEST_ALLREDUCE(Bxor, collective_bxor, int64_t, integer_of, a ^ b)
TEST_ALLREDUCE(AddDouble, collective_add, double, real_of, a + b)
TEST_ALLREDUCE(SumDouble, collective_sum, double, real_of, a + b)
TEST_ALLREDUCE(MaxDouble, collective_max, double, real_of, a > b ? a : b)
TEST_ALLREDUCE(MinDouble, collective_min, double, real_of, a < b ? a : b)
TEST_ALLREDUCE(MultDouble, collective_mult, double, real_of, a* b)
TEST_ALLREDUCE(ProdDouble, collective_prod, double, real_of, a* b)

// Logical operations where only some cores contribute true.
bool only_last(int core) { return core == cores() - 1; }
bool all_but_last(int core) { return core != cores() - 1; }
int64_t truth_of(int core) { return core % 2; }
double real_truth_of(int core) { return 0.5 * (core % 2); }
TEST_ALLREDUCE(AndOfBools, collective_and, bool, all_but_last, a&& b)
TEST_ALLREDUCE(LandOfBools, collective_land, bool, only_last, a&& b)
TEST_ALLREDUCE(OrOfBools, collective_or, bool, only_last, a || b)
TEST_ALLREDUCE(LorOfBools, collective_lor, bool, all_but_last, a || b)
TEST_ALLREDUCE(XorOfBools, collective_xor, bool, only_last, a != b)
TEST_ALLREDUCE(LxorOfBools, collective_lxor, bool, all_but_last, a != b)
TEST_ALLREDUCE(Xor, collective_xor, int64_t, truth_of, a != b)
TEST_ALLREDUCE(Lxor, collective_lxor, int64_t, truth_of, a != b)
TEST_ALLREDUCE(LandDouble, collective_land, double, real_truth_of, a != 0 && b != 0)
TEST_ALLREDUCE(LorDouble, collective_lor, double, real_truth_of, a != 0 || b != 0)
TEST_ALLREDUCE(LxorDouble, collective_lxor, double, real_truth_of, (a != 0) != (b != 0))

TEST(Allreduce, UserDefinedOperation) {
  on_all_cores([] { expect_highest(allreduce<Place, highest>(place_of(mycore()))); });
}

TEST(AllreduceInplace, ArraysOfAnyLength) {
  for (const size_t n : {0, 1, 5, 3000}) {
    on_all_cores([n] {
      std::vector<int64_t> values(n + 1, -9);
      for (size_t i = 0; i < n; ++i) values[i] = mycore() * static_cast<int64_t>(i);
      allreduce_inplace<int64_t, collective_add>(values.data(), n);
      const int64_t numbers = cores() * (cores() - 1) / 2;
      for (size_t i = 0; i < n; ++i) EXPECT_EQ(numbers * static_cast<int64_t>(i), values[i]);
      EXPECT_EQ(-9, values[n]) << "the next element is unchanged";

      std::vector<Place> places(n, place_of(mycore()));
      allreduce_inplace<Place, highest>(places.data(), n);
      for (const Place& place : places) expect_highest(place);
    });
  }
}

int64_t arrived = 0;  // on core 0
TEST(Barrier, ReturnsAfterAllCoresHaveArrived) {
  arrived = 0;
  on_all_cores([] {
    const auto count = make_global(&arrived, 0);
    for (int64_t round = 1; round <= 10; ++round) {
      delegate::increment(count, 1);
      barrier();
      EXPECT_EQ(round * cores(), delegate::read(count));
      barrier();
    }
  });
}

TEST(Broadcast, FromEachRoot) {
  on_all_cores([] {
    for (Core root = 0; root < cores(); ++root) {
      EXPECT_EQ(integer_of(root), broadcast(integer_of(mycore()), root));
      EXPECT_EQ(real_of(root), broadcast(real_of(mycore()), root));
      EXPECT_EQ(root, broadcast(place_of(mycore()), root).core);
    }
  });
}

TEST(Allgather, CollectsTheValueOfEachCore) {
  on_all_cores([] {
    const std::vector<int64_t> integers = allgather(integer_of(mycore()));
    const std::vector<double> reals = allgather(real_of(mycore()));
    const std::vector<Place> places = allgather(place_of(mycore()));
    ASSERT_EQ(static_cast<size_t>(cores()), integers.size());
    ASSERT_EQ(integers.size(), reals.size());
    ASSERT_EQ(integers.size(), places.size());
    for (int core = 0; core < cores(); ++core) {
      const size_t k = static_cast<size_t>(core);
      EXPECT_EQ(integer_of(core), integers[k]);
      EXPECT_EQ(real_of(core), reals[k]);
      EXPECT_EQ(core, places[k].core);
    }
  });
}

int64_t count;  // on each core
double weight;
Place peak;

void set_by_core() {
  on_all_cores([] {
    count = integer_of(mycore());
    weight = real_of(mycore());
    peak = place_of(mycore());
  });
}
int64_t plus(int64_t a, int64_t b) { return a + b; }
double times(double a, double b) { return a * b; }

TEST(Reduce, FileScopeObject) {
  set_by_core();
  EXPECT_EQ(fold<int64_t>(integer_of, plus), (reduce<int64_t, collective_add>(&count)));
  EXPECT_EQ(fold<double>(real_of, times), (reduce<double, collective_mult>(&weight)));
  expect_highest(reduce<Place, highest>(&peak));
}

TEST(Reduce, FromATaskOfAnyCore) {
  set_by_core();
  finish([] {
    for (Core core = 0; core < cores(); ++core) {
      spawnRemote(core, [] {
        EXPECT_EQ(fold<int64_t>(integer_of, plus), (reduce<int64_t, collective_add>(&count)));
        expect_highest(reduce<Place, highest>(&peak));
      });
    }
  });
}

TEST(Reduce, SymmetricObject) {
  const auto number = symmetric_global_alloc<int64_t>();
  const auto place = symmetric_global_alloc<Place>();
  on_all_cores([=] {
    *number.pointer() = integer_of(mycore());
    *place.pointer() = place_of(mycore());
  });
  EXPECT_EQ(fold<int64_t>(integer_of, plus), (reduce<int64_t, collective_add>(number)));
  expect_highest(reduce<Place, highest>(place));
  global_free(number);
  global_free(place);
}

struct Tally {
  Place best;
  int64_t visits;
};
int64_t visits_of(GlobalAddress<Tally> tally) { return tally->visits; }
Place best_of(GlobalAddress<Tally> tally) { return tally->best; }

TEST(Reduce, AccessorOfASymmetricObject) {
  const auto tally = symmetric_global_alloc<Tally>();
  on_all_cores([tally] {
    tally->visits = integer_of(mycore());
    tally->best = place_of(mycore());
  });
  const int64_t sum = reduce<int64_t, Tally, collective_add, visits_of>(tally);
  EXPECT_EQ(fold<int64_t>(integer_of, plus), sum);
  expect_highest(reduce<Place, Tally, highest, best_of>(tally));
  global_free(tally);
}

TEST(SumAllCores, Body) {
  set_by_core();
  EXPECT_EQ(fold<int64_t>(integer_of, plus), sum_all_cores([] { return count; }));
  EXPECT_EQ(1.5 * cores() - cores() * (cores() - 1) / 2, sum_all_cores([] { return weight; }));
  int64_t captured = 7;
  EXPECT_EQ(7 * cores(), sum_all_cores([captured] {
              yield();
              return captured;
            }));
}

}  // namespace
