#include "system/net/late_event.hpp"

#include "system/runtime/failure.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <thread>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

/// What the usual handler says: ours, or a sanitizer's.
constexpr char kFault[] = "fatal signal 11|SEGV on unknown address";

/// No process has memory there.
constexpr uintptr_t kGone = 4096;

/// Calls code that is gone, in a thread of its own; returns whether that thread went on.
bool call_what_is_gone() {
  bool went_on = false;
  std::thread([&went_on] {
    reinterpret_cast<void (*)()>(kGone)();
    went_on = true;
  }).join();
  return went_on;
}

TEST(LateEvent, ReturnsAtOnceWhileMpiEnds) {
  install_failure_handlers();
  const LateEvents late_events;
  EXPECT_TRUE(call_what_is_gone());
}

TEST(LateEventDeathTest, IsAnErrorAtOtherTimes) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto call_too_late = [] {
    { const LateEvents late_events; }
    call_what_is_gone();
  };
  EXPECT_DEATH(call_too_late(), kFault);
}

TEST(LateEventDeathTest, ExcusesNoOtherFault) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto write_to_what_is_gone = [] {
    const LateEvents late_events;
    std::thread([] { *reinterpret_cast<volatile int*>(kGone) = 1; }).join();
  };
  EXPECT_DEATH(write_to_what_is_gone(), kFault);
}

}  // namespace
