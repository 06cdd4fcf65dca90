/// Tests of operations on FullEmpty cells of other cores.

#include "tests/global/homes.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <new>

namespace {

using namespace Grappa;

// Each core has its own instances. An operation uses the instance of the core in its address.
FullEmpty<int64_t> cell;
int64_t total = 0;

TEST(RemoteFullEmpty, IsReadAndWrittenFromAnyCore) {
  for_each_home([](Core home) {
    const auto there = make_global(&cell, home);
    for (Core core = 0; core < cores(); ++core) {
      delegate::call(core, [there] {
        EXPECT_TRUE(empty(there));
        writeEF(there, 1);
        EXPECT_TRUE(full(there));
        EXPECT_EQ(readFF(there), 1);
        writeFF(there, 2);
        EXPECT_EQ(readFE(there), 2);
        EXPECT_FALSE(full(there));
        EXPECT_EQ(readXX(there), 2);
        writeXF(there, 3);
        EXPECT_FALSE(empty(there));
        EXPECT_EQ(readXX(there), 3);
        reset(there);
      });
    }
  });
}

TEST(RemoteFullEmpty, TransfersEachValueOnceBetweenTasksOfAllCores) {
  const int64_t each = 60;
  const int64_t all = each * cores();
  auto taken = global_alloc<int64_t>(all);
  for_each_home([=](Core home) {
    const auto channel = make_global(&cell, home);
    Grappa::memset(taken, 0, all);
    on_all_cores([] { total = 0; });
    on_each_core(2 * each, [=](int64_t k, Core core) {
      if (k % 2 == 0) {
        writeEF(channel, core * each + k / 2);
      } else {
        const int64_t value = readFE(channel);
        total += value;
        delegate::increment(taken + value, 1);
      }
    });
    EXPECT_EQ(sum_all_cores([] { return total; }), all * (all - 1) / 2);
    forall(taken, all, [](int64_t& times) { EXPECT_EQ(times, 1); });
    EXPECT_TRUE(empty(channel));
  });
  global_free(taken);
}

TEST(RemoteFullEmpty, OneWriteServesReadersOfAllCores) {
  for_each_home([](Core home) {
    const auto there = make_global(&cell, home);
    const auto arrivals = make_global(&total, 0);
    total = 0;
    finish([=] {
      for (Core core = 0; core < cores(); ++core) {
        delegate::call<async>(core, [=] {
          for (int k = 0; k < 10; ++k) {
            spawn([=] {
              delegate::increment(arrivals, 1);
              EXPECT_EQ(readFF(there), 7);
            });
          }
        });
      }
      while (total < 10 * cores()) yield();
      writeEF(there, 7);
    });
    EXPECT_TRUE(full(there));
    reset(there);
  });
}

TEST(RemoteFullEmpty, IsFilledAfterTheScopeOfTheFill) {
  auto cells = global_alloc<FullEmpty<int64_t>>(1000);
  forall(cells, 1000, [](FullEmpty<int64_t>& place) { new (&place) FullEmpty<int64_t>; });
  for (int64_t round = 1; round <= 5; ++round) {
    finish([=] {
      for (int64_t k = 0; k < 1000; ++k) fill_remote(cells + k, round * k);
    });
    forall(cells, 1000, [round](int64_t k, FullEmpty<int64_t>& here) {
      EXPECT_TRUE(here.full());
      EXPECT_EQ(here.readXX(), round * k);
    });
  }
  global_free(cells);
}

TEST(RemoteFullEmpty, CellsOfAGlobalArrayAreIndependent) {
  const int64_t n = 200;
  auto cells = global_alloc<FullEmpty<int64_t>>(n);
  forall(cells, n, [](FullEmpty<int64_t>& place) { new (&place) FullEmpty<int64_t>; });
  on_all_cores([] { total = 0; });
  forall(0, 2 * n, [=](int64_t k) {
    if (k < n) {
      total += readFE(cells + k * 7 % n);
    } else {
      writeEF(cells + (k - n), k - n);
    }
  });
  EXPECT_EQ(sum_all_cores([] { return total; }), n * (n - 1) / 2);
  forall(cells, n, [](FullEmpty<int64_t>& here) { EXPECT_TRUE(here.empty()); });
  global_free(cells);
}

struct Triple {
  int64_t a, b, c;
};
bool operator==(const Triple& x, const Triple& y) { return x.a == y.a && x.b == y.b && x.c == y.c; }
FullEmpty<Triple> triple;

TEST(RemoteFullEmpty, HoldsAStruct) {
  for_each_home([](Core home) {
    const auto there = make_global(&triple, home);
    writeEF(there, Triple{1, 2, 3});
    EXPECT_EQ(readFF(there), (Triple{1, 2, 3}));
    writeFF(there, Triple{4, 5, 6});
    EXPECT_EQ(readFE(there), (Triple{4, 5, 6}));
    writeXF(there, Triple{7, 8, 9});
    EXPECT_EQ(readXX(there), (Triple{7, 8, 9}));
    reset(there);
    fill_remote(there, Triple{-1, -2, -3});
    EXPECT_EQ(readFE(there), (Triple{-1, -2, -3})) << "readFE waits for the fill";
  });
}

}  // namespace
