/// Tests how work is started on all cores along a tree: which cores run the work, and how many
/// messages each core sends. The job runs with --steal=false, so idle cores send no messages.

#include "system/message/aggregator.hpp"
#include "system/parallel/on_all_cores.hpp"

#include "system/tasking/scheduler.hpp"
#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

int64_t calls = 0;        // each core has its own instance
bool in_handlers = true;  // true if all calls ran in handlers
uint64_t messages_before = 0;

void reset() {
  on_all_cores([] {
    calls = 0;
    in_handlers = true;
  });
}

int doublings(int count) {
  int n = 0;
  while ((1 << n) < count) ++n;
  return n;
}

TEST(Spread, ReachesTheGivenNumberOfConsecutiveCoresOnce) {
  for (int count = 1; count <= cores(); ++count) {
    reset();
    finish([count] { detail::spread(count, [] { ++calls; }); });
    on_all_cores(
        [count] { EXPECT_EQ(mycore() != 0 && mycore() < count ? 1 : 0, calls) << "of " << count; });
  }
}

TEST(Spread, WrapsAroundFromAnyCore) {
  for (Core first = 0; first < cores(); ++first) {
    for (int count = 1; count <= cores(); ++count) {
      reset();
      finish([=] { detail::start_on_cores(first, count, [] { ++calls; }); });
      on_all_cores([=] {
        const int place = (mycore() - first + cores()) % cores();
        EXPECT_EQ(place < count ? 1 : 0, calls) << count << " from core " << first;
      });
    }
  }
}

/// The number of messages that this core sends during `start()`. No other work may run.
template <class Start>
int messages_of(Start start) {
  while (aggregator().holds_messages()) yield();
  const Gain messages("message.messages");
  start();
  return static_cast<int>(messages.value());
}

TEST(Spread, TakesOneMessageForEachDoublingOfTheCores) {
  for (Core core = 0; core < cores(); ++core) {
    delegate::call(core, [] {
      const int expected = doublings(cores());
      EXPECT_EQ(expected, messages_of([] { on_all_cores([] {}); }));
      EXPECT_EQ(expected, messages_of([] { call_on_all_cores([] {}); }));
      EXPECT_EQ(expected, messages_of([] { forall(0, 1000, [](int64_t) {}); }));
    });
  }
}

TEST(Spread, TakesOneMessageAndOneAcknowledgementForEachCoreInAll) {
  finish([] {});
  on_all_cores([] { messages_before = counted("message.messages"); });
  for (int times = 0; times < 10; ++times) on_all_cores([] {});
  // The cores count the messages of ten calls. They may also count messages that were not yet sent
  // when the counting started or stopped.
  const int64_t all = sum_all_cores(
      [] { return static_cast<int64_t>(counted("message.messages") - messages_before); });
  EXPECT_GE(all, 10 * 2 * (cores() - 1));
  EXPECT_LE(all, 12 * 2 * (cores() - 1));
}

TEST(CallOnAllCores, RunsAHandlerOnEachOtherCore) {
  reset();
  call_on_all_cores([] {
    ++calls;
    in_handlers = in_handlers && scheduler().in_handler();
  });
  on_all_cores([] {
    EXPECT_EQ(1, calls);
    EXPECT_EQ(mycore() != 0, in_handlers);
  });
}

TEST(CallOnAllCores, WaitsForWhatItsHandlersStart) {
  reset();
  call_on_all_cores([] {
    spawn([] {
      yield();
      ++calls;
    });
  });
  on_all_cores([] { EXPECT_EQ(1, calls); });
}

TEST(CallOnAllCores, MaySuspend) {
  reset();
  call_on_all_cores([] {
    delegate::call(static_cast<Core>((mycore() + 1) % cores()), [] { yield(); });
    ++calls;
  });
  on_all_cores([] { EXPECT_EQ(1, calls); });
}

TEST(Forall, StartsOnlyTheCoresThatHaveIterations) {
  reset();
  auto array = global_alloc<int64_t>(1000);
  for (int64_t offset = 0; offset < 100; offset += 7) {
    for (const int64_t n : {1, 2, 8, 9, 17, 40}) {
      const Core first = (array + offset).core();
      // Each core reads its counter now. The next messages of the test read the counter again.
      on_all_cores([] { messages_before = counted("tasking.tasks"); });
      forall(array + offset, n, [](int64_t&) {});
      for (Core core = 1; core < cores(); ++core) {
        const uint64_t tasks =
            delegate::call(core, [] { return counted("tasking.tasks") - messages_before; });
        const int64_t blocks = (offset % 8 + n + 7) / 8;
        const bool owns = (core - first + cores()) % cores() < blocks;
        EXPECT_EQ(owns, tasks > 0) << "core " << core << ", " << n << " from " << offset;
      }
    }
  }
  global_free(array);
}

}  // namespace
