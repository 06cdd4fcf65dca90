#include "system/parallel/spawn.hpp"

#include "system/tasking/scheduler.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

GlobalCompletionEvent event;

int64_t ended = 0;  // each core has its own instance

void reset() {
  on_all_cores([] { ended = 0; });
}
int64_t ended_everywhere() {
  return sum_all_cores([] { return ended; });
}
void end_later() {
  yield();
  ++ended;
}

TEST(SpawnWithAnEvent, IsWaitedForByTheEvent) {
  reset();
  on_all_cores([] {
    for (int k = 0; k < 100; ++k) spawn<&event>(end_later);
    event.wait();
    EXPECT_EQ(100, ended);
  });
}

TEST(SpawnWithAnEvent, DoesNotJoinTheCallersScope) {
  static bool go_on;
  go_on = false;
  finish([] {  // would not end if the task had joined this scope
    spawn<&event>([] {
      while (!go_on) yield();
    });
  });
  EXPECT_GT(event.incomplete(), 0);
  go_on = true;
  event.wait();
}

TEST(SpawnWithAnEvent, BodiesMayCaptureByReference) {
  int64_t sum = 0;
  for (int64_t k = 0; k < 10; ++k) spawn<&event>([&sum, k] { sum += k; });
  event.wait();
  EXPECT_EQ(45, sum);
}

TEST(SpawnWithAnEvent, OfUnboundTasksIsWaitedForWhereverTheyRun) {
  reset();
  on_all_cores([] {
    for (int k = 0; k < 300; ++k) spawn<unbound, &event>(end_later);
    event.wait();
  });
  EXPECT_EQ(300 * cores(), ended_everywhere());
}

TEST(SpawnWithAnEvent, MayBeCalledByHandlersOfCoresThatAreNotInTheEvent) {
  reset();
  finish([] {
    for (Core core = 0; core < cores(); ++core) {
      delegate::call<async>(core, [] { spawn<&event>(end_later); });
    }
  });
  event.wait();
  EXPECT_EQ(cores(), ended_everywhere());
}

TEST(SpawnWithACompletionEvent, IsWaitedForByIt) {
  reset();
  on_all_cores([] {
    CompletionEvent here;
    for (int k = 0; k < 100; ++k) spawn(&here, end_later);
    for (int k = 0; k < 100; ++k) spawn<bound>(&here, end_later);
    here.wait();
    EXPECT_EQ(200, ended);
    barrier();  // now idle cores may steal tasks
    for (int k = 0; k < 100; ++k) spawn<unbound>(&here, [] { end_later(); });
    here.wait();
  });
  EXPECT_EQ(300 * cores(), ended_everywhere());
}

TEST(CompletionEventOfAnotherCore, CountsEnrollmentsAndCompletions) {
  CompletionEvent here;
  const GlobalAddress<CompletionEvent> address = make_global(&here);
  finish([address] {
    on_all_cores([address] {
      enroll(address, 7);
      complete(address, 3);
      complete(address, 2);
    });
  });
  EXPECT_EQ(2 * cores(), here.get_count());
  on_all_cores([address] { complete(address, 2); });
  here.wait();
}

TEST(SpawnRemote, StartsATaskOnTheOtherCore) {
  reset();
  finish([] {
    for (Core core = 0; core < cores(); ++core) {
      spawnRemote(core, [core] {
        EXPECT_EQ(core, mycore());
        EXPECT_FALSE(scheduler().in_handler());
        end_later();
      });
    }
  });
  on_all_cores([] { EXPECT_EQ(1, ended); });
}

TEST(SpawnRemote, WithAnEventIsWaitedForByIt) {
  reset();
  on_all_cores([] {
    for (Core core = 0; core < cores(); ++core) spawnRemote<&event>(core, end_later);
    event.wait();
  });
  EXPECT_EQ(cores() * cores(), ended_everywhere());
}

TEST(SpawnWithAnEvent, StartsBoundTasksOnItsCore) {
  static_assert(bound == TaskMode::Bound && unbound == TaskMode::Unbound, "two names of each");
  reset();
  on_all_cores([] {
    for (int k = 0; k < 10; ++k) spawn<bound, &event>([] { ++ended; });
    event.wait();
  });
  on_all_cores([] { EXPECT_EQ(10, ended); });
}

}  // namespace
