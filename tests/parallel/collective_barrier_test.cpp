/// Tests of barrier(), and of the functions that report the progress of a core in the sequence of
/// collectives.

#include "tests/harness/random_seed.hpp"
#include <Grappa.hpp>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

// Each core has its own instances.
int64_t phase = 0;
bool stop = false;
int64_t yields = 0;

Core next_core() { return static_cast<Core>((mycore() + 1) % cores()); }

TEST(Barrier, ReturnsOnNoCoreBeforeAllCoresHaveCalled) {
  on_all_cores([] { phase = 0; });
  on_all_cores([] {
    for (int64_t k = 1; k <= 100; ++k) {
      phase = k;
      barrier();
      EXPECT_LE(k, delegate::call(next_core(), [] { return phase; }));
      barrier();
    }
  });
}

TEST(Barrier, WaitsForCoresThatCallLate) {
  const auto seed = random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  on_all_cores([] { phase = 0; });
  on_all_cores([seed] {
    std::minstd_rand random(seed + static_cast<unsigned>(mycore()));
    for (int64_t k = 1; k <= 1000; ++k) {
      for (auto turns = random() % 8; turns > 0; --turns) yield();
      phase = k;
      barrier();
      // No other core has passed the next barrier, because this core has not called it.
      const Core other = static_cast<Core>(random() % static_cast<unsigned>(cores()));
      const int64_t its = delegate::call(other, [] { return phase; });
      EXPECT_TRUE(its == k || its == k + 1) << "core " << other << " is at " << its;
    }
  });
}

TEST(Barrier, MakesWhatWasWrittenBeforeVisible) {
  auto words = global_alloc<int64_t>(static_cast<size_t>(cores()));
  Grappa::memset(words, 0, cores());
  on_all_cores([words] {
    for (int64_t k = 1; k <= 50; ++k) {
      delegate::write(words + next_core(), k);
      barrier();
      EXPECT_EQ(k, delegate::read(words + mycore()));
      barrier();
    }
  });
  global_free(words);
}

TEST(Barrier, LetsOtherTasksRunWhileItWaits) {
  on_all_cores([] {
    stop = false;
    yields = 0;
  });
  on_all_cores([] {
    spawn([] {
      for (; !stop; ++yields) yield();
    });
    for (int k = 0; k < 100; ++k) barrier();
    while (yields == 0) yield();
    stop = true;
  });
}

TEST(Barrier, MayBeCalledByADifferentTaskEachTime) {
  on_all_cores([] {
    for (int k = 0; k < 20; ++k) {
      CompletionEvent passed;
      spawn(&passed, [] { barrier(); });
      passed.wait();
    }
  });
}

TEST(CollectiveStanding, CountsCompletedCollectives) {
  on_all_cores([] {
    const uint64_t before = collective_standing().completed;
    barrier();
    allgather(1);
    EXPECT_EQ(before + 2, collective_standing().completed);
    EXPECT_FALSE(collective_standing().waiting);
    EXPECT_STREQ("", collective_standing().what);
  });
}

void expect_text(Core core, const char* begin, const char* part) {
  CollectiveStanding standing;
  do {
    yield();
    standing = delegate::call(core, collective_standing);
  } while (!standing.waiting || standing.completed != collective_standing().completed);
  EXPECT_EQ(standing.what, std::strstr(standing.what, begin)) << standing.what;
  EXPECT_NE(nullptr, std::strstr(standing.what, part)) << standing.what;
}

// clang++ prints the name of a function without its template arguments.
#ifdef __clang__
constexpr char kMaxOfLong[] = "collective_max", kMinOfShort[] = "collective_min";
#else
constexpr char kMaxOfLong[] = "collective_max<long", kMinOfShort[] = "collective_min<short";
#endif

TEST(CollectiveStanding, NamesTheCollectiveThatATaskWaitsIn) {
  if (cores() == 1) return;
  on_all_cores([] {
    if (mycore() == 0) expect_text(1, "barrier", "");
    barrier();
    if (mycore() == 0) expect_text(1, "allreduce of 8 bytes", kMaxOfLong);
    allreduce<int64_t, collective_max>(mycore());
    int16_t values[7] = {};
    if (mycore() == 0) expect_text(1, "allreduce of 7 times 2 bytes", kMinOfShort);
    allreduce_inplace<int16_t, collective_min>(values, 7);
    if (mycore() == 0) expect_text(1, "broadcast of 8 bytes (double) from core 1", "");
    broadcast(0.5, 1);
    if (mycore() == 0) expect_text(1, "allgather of 1 bytes (char)", "");
    allgather('x');
  });
}

}  // namespace
