#include "system/parallel/options.hpp"
#include "system/tasking/scheduler.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

int64_t calls = 0;  // each core has its own instance
int64_t sum = 0;

void reset() {
  on_all_cores([] { calls = sum = 0; });
}
int64_t all_calls() {
  return sum_all_cores([] { return calls; });
}
int64_t all_sums() {
  return sum_all_cores([] { return sum; });
}

TEST(Forall, RunsEachIndexOnce) {
  for (const int64_t n : {0, 1, 2, 3, 7, 100, 12345}) {
    reset();
    forall(10, n, [](int64_t i) {
      ++calls;
      sum += i;
    });
    EXPECT_EQ(n, all_calls());
    EXPECT_EQ(n * 10 + n * (n - 1) / 2, all_sums());
  }
}

TEST(Forall, SplitsIndicesEvenly) {
  reset();
  forall(0, 1000, [](int64_t) { ++calls; });
  on_all_cores([] {
    EXPECT_GE(calls, 1000 / cores());
    EXPECT_LE(calls, 1000 / cores() + 1);
  });
}

TEST(Forall, PassesRangesOfIndices) {
  reset();
  forall(5, 999, [](int64_t first, int64_t count) {
    for (int64_t i = first; i < first + count; ++i) sum += i;
    calls += count;
  });
  EXPECT_EQ(999, all_calls());
  EXPECT_EQ(999 * 5 + 999 * 998 / 2, all_sums());
}

TEST(Forall, TakesEmptyRangesAndNegativeStarts) {
  reset();
  forall(0, 0, [](int64_t) { ++calls; });
  forall(-10, 5, [](int64_t i) { sum += i; });
  EXPECT_EQ(0, all_calls());
  EXPECT_EQ(-10 - 9 - 8 - 7 - 6, all_sums());
}

TEST(Forall, ReachesTheLastIndicesOfAnInt64) {
  const int64_t start = std::numeric_limits<int64_t>::max() - 10;
  const auto count = [](int64_t i) {
    ++calls;
    sum += i - start;
  };
  reset();
  forall<1>(start, 10, count);
  forall<unbound, 1>(start, 10, count);
  forall<std::numeric_limits<int64_t>::max()>(start, 10, count);
  EXPECT_EQ(30, all_calls());
  EXPECT_EQ(3 * 45, all_sums());
}

TEST(ForallHere, StaysOnItsCore) {
  reset();
  forall_here(0, 100, [](int64_t) { ++calls; });
  EXPECT_EQ(100, calls);
  EXPECT_EQ(100, all_calls());
}

TEST(ForallHere, RunsBodiesThatWaitForEachOther) {
  // Each of the 500 iterations is a chunk. All iterations wait at the same time, so each iteration
  // needs its own task.
  parallel_options().loop_threshold = 1;
  CompletionEvent all(500);
  forall_here(0, 500, [&all](int64_t) {
    all.complete();
    all.wait();
  });
  parallel_options().loop_threshold = 0;
}

TEST(Forall, VisitsEachElementAtItsOwner) {
  for (const int64_t n : {1, 7, 8, 9, 1000, 4321}) {
    auto array = global_alloc<int64_t>(static_cast<size_t>(n) + 3);
    const auto base = array + 3;  // not at the start of a block
    forall(base, n, [base](int64_t i, int64_t& element) {
      EXPECT_EQ(mycore(), (base + i).core());
      EXPECT_EQ(&element, (base + i).pointer());
      element = i;
    });
    forall(base, n, [](int64_t& element) { element *= 3; });
    for (int64_t k = 0; k < n; k += 13) EXPECT_EQ(3 * k, delegate::read(base + k));
    reset();
    forall(base, n, [](int64_t first, int64_t count, int64_t* elements) {
      for (int64_t k = 0; k < count; ++k) {
        EXPECT_EQ(3 * (first + k), elements[k]);
        ++calls;
      }
    });
    EXPECT_EQ(n, all_calls());
    global_free(array);
  }
}

/// Runs a loop over elements of sizeof(T) bytes. The chunks begin and end at any position in a
/// block, and may contain many blocks.
template <class T>
void expect_each_position_once(int64_t chunk) {
  SCOPED_TRACE(testing::Message() << sizeof(T) << " bytes in chunks of " << chunk);
  on_all_cores([chunk] { parallel_options().loop_threshold = chunk; });
  const int64_t n = 3001;
  auto array = global_alloc<T>(static_cast<size_t>(n) + 3);
  const auto base = array + 3;
  forall(base, n, [base](int64_t i, T& element) {
    EXPECT_EQ(&element, (base + i).pointer());
    EXPECT_EQ(mycore(), (base + i).core());
    element = static_cast<T>(i);
  });
  reset();
  forall(base, n, [base](int64_t first, int64_t count, T* elements) {
    EXPECT_EQ(elements, (base + first).pointer());
    for (int64_t k = 0; k < count; ++k) EXPECT_EQ(static_cast<T>(first + k), elements[k]);
    sum += count * first + count * (count - 1) / 2;
  });
  EXPECT_EQ(n * (n - 1) / 2, all_sums());
  reset();
  forall(base, n, [](int64_t i, T&) { sum += i; });
  EXPECT_EQ(n * (n - 1) / 2, all_sums());
  global_free(array);
  on_all_cores([] { parallel_options().loop_threshold = 0; });
}

TEST(Forall, PassesTheIndexOfEachElementInLongChunks) {
  for (const int64_t chunk : {5, 8, 29, 100000}) expect_each_position_once<int64_t>(chunk);
  expect_each_position_once<int32_t>(61);
  expect_each_position_once<char>(1000);
}

TEST(Forall, WaitsForWhatItsBodiesStart) {
  const int64_t n = 3000;
  auto array = global_alloc<int64_t>(n);
  Grappa::memset(array, 0, n);
  forall(0, n, [=](int64_t i) {
    delegate::increment<async>(array + (i * 7) % n, 1);
    spawn([=] {
      yield();
      delegate::increment(array + (i * 11) % n, 1);
    });
  });
  forall(array, n, [](int64_t& element) { EXPECT_EQ(2, element); });
  global_free(array);
}

TEST(Forall, NestsInItself) {
  reset();
  forall(0, 20, [](int64_t) { forall(0, 50, [](int64_t) { ++calls; }); });
  EXPECT_EQ(1000, all_calls());
}

TEST(ForallAsync, JoinsTheCallersScope) {
  reset();
  finish([] {
    forall<async>(0, 100, [](int64_t) {
      yield();
      ++calls;
    });
    forall_here<async>(0, 100, [](int64_t) {
      yield();
      ++calls;
    });
  });
  EXPECT_EQ(200, all_calls());
}

TEST(Forall, UsesOneTaskWhereNothingSuspends) {
  // A loop whose body does not suspend needs one task, so it must not create workers.
  const size_t before = scheduler().pool().size();
  forall_here(0, 1000000, [](int64_t i) { sum += i; });
  EXPECT_LE(scheduler().pool().size(), before + 2);
}

struct AddTo {
  int64_t start;
  void operator()(int64_t i) { sum += i - start; }
};

TEST(Forall, TakesFunctionObjectsAndMutableBodiesWithOtherIntegers) {
  reset();
  forall(20, 100, AddTo{20});
  forall_here(20, 100, AddTo{20});
  forall(0, 100, [](int i) mutable { sum += i; });
  forall_here(0, 100, [](size_t first, size_t count) {
    for (size_t i = first; i < first + count; ++i) sum += int64_t(i);
  });
  EXPECT_EQ(4 * 4950, all_sums());
}

TEST(Forall, TakesBodiesThatOnlyReadElements) {
  auto words = global_alloc<int64_t>(100);
  forall(words, 100, [](int64_t i, int64_t& word) { word = i; });
  reset();
  forall(words, 100, [](const int64_t& word) { sum += word; });
  forall(words, 100, [](int64_t word) { sum += word; });
  forall(words, 100, [](int64_t i, int64_t word) { sum += word == i ? i : 0; });
  forall(words, 100, [](int64_t, int64_t count, const int64_t* few) {
    for (int64_t k = 0; k < count; ++k) sum += few[k];
  });
  EXPECT_EQ(4 * 4950, all_sums());
  global_free(words);
}

TEST(ForallHere, TakesBodiesWithAnyCaptures) {
  const std::string text = "a text that is longer than short strings";
  size_t length = 0;
  forall_here(0, 10, [text, &length](int64_t) { length += text.size(); });
  EXPECT_EQ(10 * text.size(), length);
}

}  // namespace
