#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

int64_t phase = 0;  // one on each core

TEST(Allreduce, CombinesTheValuesOfAllCoresEverywhere) {
  on_all_cores([] {
    const int64_t me = mycore(), n = cores();
    EXPECT_EQ(n * (n - 1) / 2, (allreduce<int64_t, collective_add<int64_t>>(me)));
    EXPECT_EQ(n - 1, (allreduce<int64_t, collective_max<int64_t>>(me)));
    EXPECT_EQ(5, (allreduce<int64_t, collective_min<int64_t>>(me + 5))) << "not 0, which T() is";
    EXPECT_EQ(-1, (allreduce<int64_t, collective_max<int64_t>>(-me - 1))) << "nor the other way";
    EXPECT_TRUE((allreduce<bool, collective_and<bool>>(true)));
    EXPECT_EQ(n == 1, (allreduce<bool, collective_and<bool>>(me == 0)));
    EXPECT_TRUE((allreduce<bool, collective_or<bool>>(me == n - 1)));
  });
}

double minus(const double& a, const double& b) { return a - b; }

TEST(Allreduce, CombinesInTheOrderOfTheCores) {
  on_all_cores([] {
    double expected = 100;
    for (int core = 1; core < cores(); ++core) expected -= core;
    const double mine = mycore() == 0 ? 100 : mycore();
    EXPECT_EQ(expected, (allreduce<double, minus>(mine)));
  });
}

TEST(Allreduce, KeepsManyInARowApart) {
  on_all_cores([] {
    for (int64_t k = 0; k < 500; ++k) {
      EXPECT_EQ(k * cores(), (allreduce<int64_t, collective_add<int64_t>>(k)));
    }
  });
}

TEST(Barrier, LetsNobodyPassBeforeAllHaveCome) {
  on_all_cores([] { phase = 0; });
  on_all_cores([] {
    for (int64_t k = 1; k <= 100; ++k) {
      phase = k;
      barrier();
      const Core next = static_cast<Core>((mycore() + 1) % cores());
      EXPECT_LE(k, delegate::call(next, [] { return phase; }));
      barrier();
    }
  });
}

TEST(SumAllCores, AddsUpWhatEachCoreReturns) {
  EXPECT_EQ(cores(), sum_all_cores([] { return int64_t{1}; }));
  EXPECT_EQ(0.5 * cores(), sum_all_cores([] { return 0.5; }));
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
  char padding[100];  // more than a block
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

}  // namespace
