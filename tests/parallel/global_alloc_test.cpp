#include "system/parallel/global_alloc.hpp"

#include "tests/harness/counted.hpp"
#include "tests/harness/reclaim_pages.hpp"
#include "tests/harness/repetitions.hpp"

#include <Grappa.hpp>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

TEST(GlobalHeap, AllocatesDisjointArrays) {
  const int64_t n = 777;
  std::vector<GlobalAddress<int64_t>> arrays;
  for (int64_t k = 0; k < 10; ++k) {
    arrays.push_back(global_alloc<int64_t>(n));
    Grappa::memset(arrays.back(), k, n);
  }
  for (int64_t k = 0; k < 10; ++k) {
    forall(arrays[static_cast<size_t>(k)], n, [k](int64_t& element) { EXPECT_EQ(k, element); });
  }
  for (auto array : arrays) global_free(array);
}

TEST(GlobalHeap, ReusesFreedMemory) {
  const size_t before = heap_bytes_free();
  auto array = global_alloc<char>(100000);
  EXPECT_LT(heap_bytes_free(), before);
  global_free(array);
  EXPECT_EQ(before, heap_bytes_free());
}

TEST(GlobalHeap, ServesAllCoresConcurrently) {
  const size_t before = heap_bytes_free();
  on_all_cores([] {
    for (int k = 0; k < repetitions(100, 30); ++k) {
      auto array = global_alloc<int64_t>(static_cast<size_t>(1 + k));
      for (int i = 0; i <= k; ++i) delegate::write(array + i, mycore() * 1000 + i);
      for (int i = 0; i <= k; ++i) EXPECT_EQ(mycore() * 1000 + i, delegate::read(array + i));
      global_free(array);
    }
  });
  EXPECT_EQ(before, heap_bytes_free());
}

TEST(GlobalHeap, IsDividedAmongTheCores) {
  const HeapRange central = heap().stripes_of(0);
  uint64_t end = central.end;
  EXPECT_EQ(0, heap().core_of_stripe(central.begin));
  EXPECT_EQ(0, heap().core_of_stripe(end - 1));
  for (Core core = 1; core < cores(); ++core) {
    const HeapRange part = heap().stripes_of(core);
    EXPECT_EQ(end, part.begin);
    EXPECT_EQ(core, heap().core_of_stripe(part.begin));
    EXPECT_EQ(core, heap().core_of_stripe(part.end - 1));
    end = part.end;
  }
  EXPECT_EQ(heap().bytes_per_core() / size_t(block_size), end);
  EXPECT_LE((end - central.end) * 16, end);
  EXPECT_EQ(0, heap().core_of_stripe(end)) << "no core allocates this stripe";
}

TEST(SmallArrays, SendNothingUnlessAnotherCoreFreesThem) {
  if (checks_allocations()) GTEST_SKIP() << "all cores check the accesses";
  on_all_cores([] {
    // Tasks of this core that have ended may still send.
    uint64_t sent = 1;
    for (int time = 0; time < 100 && sent > 0; ++time) {
      const Gain messages("message.messages");
      global_free(global_alloc<int64_t>(8));
      sent = messages.value();
      if (sent > 0) yield();
    }
    EXPECT_EQ(0u, sent);
  });
}

TEST(SmallArrays, MayBeFreedByAnyCore) {
  const auto allocated = [] {
    return sum_all_cores([] { return int64_t(counted("global.heap_bytes")); });
  };
  const int64_t before = allocated();
  const auto arrays = symmetric_global_alloc<GlobalAddress<int64_t>>();
  on_all_cores([arrays] {
    *arrays.pointer() = global_alloc<int64_t>(8);
    delegate::write(*arrays.pointer() + 7, mycore());
  });
  on_all_cores([arrays] {
    const Core next = static_cast<Core>((mycore() + 1) % cores());
    const auto array = delegate::call(next, [arrays] { return *arrays.pointer(); });
    EXPECT_EQ(next, delegate::read(array + 7));
    global_free(array);
  });
  global_free(arrays);
  EXPECT_EQ(before, allocated());
}

TEST(SmallArrays, MayExceedTheMemoryOfTheirCore) {
  const size_t before = heap_bytes_free();
  on_all_cores([] {
    const HeapRange part = heap().stripes_of(mycore());
    const int64_t n = mycore() == 0 ? 10 : int64_t(part.size()) + 10;
    std::vector<GlobalAddress<int64_t>> arrays;
    for (int64_t k = 0; k < n; ++k) {
      arrays.push_back(global_alloc<int64_t>(1));
      delegate::write(arrays.back(), k * cores() + mycore());
    }
    for (int64_t k = 0; k < n; ++k) {
      EXPECT_EQ(k * cores() + mycore(), delegate::read(arrays[size_t(k)]));
      global_free(arrays[size_t(k)]);
    }
  });
  EXPECT_EQ(before, heap_bytes_free());
}

TEST(GlobalHeap, FreeIgnoresANullAddress) { global_free(GlobalAddress<int>()); }

TEST(GlobalHeap, AllocatesEmptyArrays) {
  auto array = global_alloc<int64_t>(0);
  EXPECT_TRUE(array);
  forall(array, 0, [](int64_t&) { ADD_FAILURE(); });
  global_free(array);
}

TEST(GlobalHeap, AllocatesWithoutTouchingPages) {
  // If all pages were allocated immediately, the array would exceed the available memory.
  const size_t bytes = heap_bytes_free() / 4 * 3;
  auto array = global_alloc<char>(bytes);
  delegate::write(array + static_cast<int64_t>(bytes) - 1, 7);
  EXPECT_EQ(7, delegate::read(array + static_cast<int64_t>(bytes) - 1));
  global_free(array);
}

TEST(GlobalHeap, BeginsEachArrayWithABlockOfCore0) {
  std::vector<GlobalAddress<char>> arrays;
  for (size_t n = 1; n < 500; n += 37) {
    arrays.push_back(global_alloc<char>(n));
    EXPECT_EQ(0, arrays.back().core());
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(arrays.back().pointer()) % size_t(block_size));
  }
  for (auto array : arrays) global_free(array);
}

/// The test reads the counters of core 0, which allocates these arrays.
TEST(GlobalHeap, CountsAllocatedBytesAndTheirMaximum) {
  const size_t row = size_t(block_size) * size_t(cores());
  const uint64_t before = counted("global.heap_bytes");
  const uint64_t most = counted("global.heap_high_water");
  auto small = global_alloc<char>(1);
  EXPECT_EQ(before + row, counted("global.heap_bytes")) << "in whole stripes";
  auto large = global_alloc<char>(most + 10 * row);
  const uint64_t both = counted("global.heap_bytes");
  EXPECT_GE(both, before + most + 11 * row);
  EXPECT_EQ(both, counted("global.heap_high_water"));
  global_free(large);
  global_free(small);
  EXPECT_EQ(before, counted("global.heap_bytes"));
  EXPECT_EQ(both, counted("global.heap_high_water"));
}

TEST(GlobalHeap, CountsResidentPages) {
  const size_t bytes = size_t(cores()) * 8 * MiB;
  auto array = global_alloc<char>(bytes);
  heap().count_pages();
  const uint64_t before = counted("global.heap_resident");
  memset(array, 1, int64_t(bytes));
  heap().count_pages();
  // Some pages of the array may have been resident before, so the exact growth is unknown.
  EXPECT_LE(before, counted("global.heap_resident"));
  EXPECT_GE(counted("global.heap_resident"), 8 * MiB);
  global_free(array);
}

/// The number of bytes of this core's heap that the kernel may reclaim if memory is short.
size_t lazily_free_bytes() {
  std::ifstream maps("/proc/self/smaps");
  std::string line;
  bool in_heap = false;
  size_t kib = 0;
  while (std::getline(maps, line)) {
    uint64_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> begin >> dash >> end && dash == '-') {
      in_heap = kHeapBase <= begin && begin < kHeapBase + heap().bytes_per_core();
    }
    size_t value = 0;
    std::string name;
    if (in_heap && std::istringstream(line) >> name >> value && name == "LazyFree:") kib += value;
  }
  return kib * KiB;
}

TEST(GlobalHeap, OffersFreedPagesToTheKernelOnAllCores) {
  const size_t bytes = size_t(cores()) * 16 * MiB;
  auto array = global_alloc<char>(bytes);
  memset(array, 1, int64_t(bytes));
  on_all_cores([] { EXPECT_EQ(0u, lazily_free_bytes()); });
  global_free(array);
  // The kernel may reclaim all bytes except the partial huge pages at both ends.
  on_all_cores([] { EXPECT_GE(lazily_free_bytes(), 10 * MiB); });
  auto again = global_alloc<char>(bytes);
  memset(again, 2, int64_t(bytes));
  forall(again, int64_t(bytes), [](char& byte) { EXPECT_EQ(2, byte); });
  on_all_cores([] { EXPECT_EQ(0u, lazily_free_bytes()) << "the pages are in use again"; });
  global_free(again);
}

TEST(GlobalHeap, FreeDoesNotChangeAdjacentArrays) {
  const int64_t n = int64_t(cores()) * 1000 * 1000;
  auto left = global_alloc<int64_t>(size_t(n)), middle = global_alloc<int64_t>(size_t(n)),
       right = global_alloc<int64_t>(size_t(n));
  memset(left, 1, n);
  memset(middle, 2, n);
  memset(right, 3, n);
  global_free(middle);
  on_all_cores([] { reclaim_pages(reinterpret_cast<void*>(kHeapBase), heap().bytes_per_core()); });
  forall(left, n, [](int64_t& element) { EXPECT_EQ(1, element); });
  forall(right, n, [](int64_t& element) { EXPECT_EQ(3, element); });
  global_free(left);
  global_free(right);
}

struct Plain {
  int64_t words[20];
};

TEST(SymmetricGlobalAlloc, AllocatesOneObjectOnEachCore) {
  auto object = symmetric_global_alloc<Plain>();
  on_all_cores([object] {
    for (int64_t k = 0; k < 20; ++k) object->words[k] = 100 * mycore() + k;
  });
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(100 * core + 19, delegate::call(core, [object] { return object->words[19]; }));
  }
  EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(object.pointer()) % size_t(block_size));
  const size_t before = heap_bytes_free();
  global_free(object);
  EXPECT_LE(before, heap_bytes_free());
}

int64_t destroyed = 0;
struct Counting {
  ~Counting() { ++destroyed; }
};

TEST(GlobalHeap, DestroysASymmetricObjectOnceOnEachCore) {
  on_all_cores([] { destroyed = 0; });
  global_free(symmetric<Counting>());
  on_all_cores([] { EXPECT_EQ(1, destroyed); });
}

TEST(GlobalHeap, ReportsItsBytes) {
  const size_t total = heap_bytes_total(), before = heap_bytes_free();
  EXPECT_EQ(total, heap().bytes_per_core() * size_t(cores()));
  EXPECT_LE(before, total);
  auto array = global_alloc<char>(before / 2);
  EXPECT_LE(heap_bytes_free(), before - before / 2);
  global_free(array);
}

TEST(SymmetricGlobalAlloc, AllocatesAnArrayOnEachCore) {
  const size_t before = heap_bytes_free();
  for (const size_t n : {1, 7, 9, 1000}) {
    const auto words = symmetric_global_alloc<int64_t>(n);
    const auto next = symmetric_global_alloc<int64_t>();
    on_all_cores([words, next, n] {
      for (size_t k = 0; k < n; ++k) words.pointer()[k] = int64_t(k) + 1000 * mycore();
      *next.pointer() = -1;
      for (size_t k = 0; k < n; ++k) EXPECT_EQ(int64_t(k) + 1000 * mycore(), words.pointer()[k]);
    });
    global_free(words);
    global_free(next);
  }
  EXPECT_EQ(before, heap_bytes_free());
}

struct Given {
  explicit Given(int64_t first_value = -1, double second_value = 0.5)
      : first(first_value), second(second_value) {}
  int64_t first;
  double second;
};

TEST(GlobalHeap, ConstructsASymmetricObjectFromAnyNumberOfArguments) {
  const auto plain = symmetric<Given>();
  const auto given = symmetric<Given>(int64_t{40}, 2.5);
  on_all_cores([plain, given] {
    EXPECT_EQ(-1, plain->first);
    EXPECT_EQ(40, given->first);
    EXPECT_EQ(2.5, given->second);
  });
  global_free(plain);
  global_free(given);
}

}  // namespace
