/// Tests calls in the style of programs for the original Grappa.

#include <Cache.hpp>
#include <Delegate.hpp>
#include <GlobalCompletionEvent.hpp>
#include <Grappa.hpp>
#include <LocaleSharedMemory.hpp>
#include <Reducer.hpp>
#include <algorithm>
#include <gtest/gtest.h>

#include <utility>

using namespace Grappa;
using delegate::call;

GlobalCompletionEvent gce;
int64_t counter = 0;

struct Cell {
  int64_t words[3];
  Cell operator+(const Cell& other) const {
    return {{words[0] + other.words[0], words[1] + other.words[1], words[2] + other.words[2]}};
  }
} GRAPPA_BLOCK_ALIGNED;
Cell cell = {{1, 2, 3}};

struct Triple {
  int64_t words[3];
};
struct Large {
  int64_t words[20];
};

struct Destroyed {
  int64_t value;
  ~Destroyed() {}
};

namespace {

const Core kLast = -1;  // stands for the last core
Core far(Core core = kLast) { return core == kLast ? static_cast<Core>(cores() - 1) : core; }

TEST(Original, CallsDelegatesByAnUnqualifiedName) {
  const GlobalAddress<int64_t> there = make_global(&counter, far());
  call(there, [](int64_t& c) { c = 0; });
  call<async, &gce>(far(), [] { ++counter; });
  call<async, &gce>(there, [](int64_t& c) { ++c; });
  gce.wait();
  EXPECT_EQ(2, call<SyncMode::Blocking>(far(), [] { return counter; }));
  EXPECT_EQ(2, call(there, [](int64_t* c) { return *c; }));
}

TEST(Original, SendsTypesThatAreAlignedToBlocks) {
  const GlobalAddress<Cell> there = make_global(&cell, far());
  Cell mine = delegate::read(there);
  EXPECT_EQ(3, mine.words[2]);
  mine.words[2] = 30;
  delegate::write(there, mine);
  EXPECT_EQ(30, call(far(), [] { return cell; }).words[2]);
  EXPECT_EQ(30, call(there, [mine](Cell& c) {
                  return c.words[2] == mine.words[2] ? c : Cell();
                }).words[2]);
  call<async, &gce>(far(), [mine] { cell.words[0] = mine.words[2]; });
  delegate::write<async, &gce>(make_global(&cell, 0), mine);
  gce.wait();
  on_all_cores([] { cell = {{mycore(), 1, 2}}; });
  const Cell sum = reduce<Cell, collective_add>(&cell);
  EXPECT_EQ(cores() * (cores() - 1) / 2, sum.words[0]);
  EXPECT_EQ(cores(), sum.words[1]);
}

TEST(Original, StoresElementsThatCrossBlocks) {
  const int64_t n = 100;
  const auto triples = global_alloc<Triple>(n);
  for (int64_t i = 0; i < n; ++i) delegate::write(triples + i, Triple{{i, i + 1, i + 2}});
  on_all_cores([triples] {
    for (int64_t i = 0; i < n; ++i) {
      const Triple here = delegate::read(triples + i);
      EXPECT_TRUE(here.words[0] == i && here.words[1] == i + 1 && here.words[2] == i + 2) << i;
    }
    Incoherent<Triple>::RO cache(triples + 10, 20);
    for (int64_t i = 0; i < 20; ++i) EXPECT_EQ(12 + i, cache[i].words[2]);
  });
  {
    Incoherent<Triple>::RW cache(triples + 2, 3);
    cache[1].words[1] = -1;
  }
  const auto copy = global_alloc<Triple>(n);
  Grappa::memcpy(copy, triples, n);
  EXPECT_EQ(-1, delegate::read(copy + 3).words[1]);
  EXPECT_EQ(6, delegate::read(copy + 4).words[2]);
  EXPECT_EQ(8, call(triples + 8, [](Triple& t) { return t.words[0]; })) << "inside a block";
  global_free(copy);
  global_free(triples);
  const auto large = global_alloc<Large>(10);
  delegate::write(large + 7, Large{{7}});
  EXPECT_EQ(7, delegate::read(large + 7).words[0]);
  global_free(large);
}

TEST(Original, CachesMemoryOfItsOwnCoreInPlace) {
  int64_t mine[] = {1, 2, 3};
  Incoherent<int64_t>::RW rw(make_global(mine), 3);
  Incoherent<int64_t>::RO ro(make_global(mine), 3);
  rw[1] = 20;
  EXPECT_EQ(20, mine[1]);
  mine[2] = 30;
  EXPECT_EQ(30, ro[2]);
  EXPECT_EQ(mine, static_cast<const int64_t*>(ro));
  int64_t buffer[3] = {};
  Incoherent<int64_t>::RO copy(make_global(mine), 3, buffer);
  copy.block_until_acquired();
  mine[2] = 3;
  EXPECT_EQ(30, buffer[2]);
}

TEST(Original, SharesMemoryInALocale) {
  void* const memory = impl::locale_shared_memory.allocate_aligned(1000, 256);
  EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(memory) % 256);
  int64_t* const sums = static_cast<int64_t*>(memory);
  std::fill_n(sums, cores(), 0);
  on_all_cores([sums] {
    if (mylocale() == 0) sums[mycore()] = mycore() + 1;
  });
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(locale_of(core) == 0 ? core + 1 : 0, sums[core]);
  }
  impl::locale_shared_memory.deallocate(memory);
  locale_free(locale_alloc(100));
  locale_free(locale_alloc_aligned<int64_t>(64, 10));
}

TEST(Original, ReturnsAnswersWithADestructor) {
  EXPECT_EQ(5, call(far(), [] { return Destroyed{5}; }).value);
  const std::pair<bool, int64_t> found = call(far(), [] { return std::make_pair(true, counter); });
  EXPECT_TRUE(found.first);
}

}  // namespace
