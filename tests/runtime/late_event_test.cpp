#include "system/runtime/late_event.hpp"

#include "system/base/mapping.hpp"
#include "system/runtime/failure.hpp"

#include <gtest/gtest.h>
#include <thread>

namespace {

using namespace Grappa;

/// Calls code that is gone, in a thread of its own; returns whether that thread went on.
bool call_what_is_gone() {
  void* const page = map_private(page_bytes());
  unmap(page, page_bytes());
  bool went_on = false;
  std::thread([page, &went_on] {
    reinterpret_cast<void (*)()>(page)();
    went_on = true;
  }).join();
  return went_on;
}

TEST(LateEvent, ReturnsAtOnceWhileMpiEnds) {
  install_failure_handlers();
  expect_late_events(true);
  EXPECT_TRUE(call_what_is_gone());
  expect_late_events(false);
}

TEST(LateEventDeathTest, IsAnErrorAtOtherTimes) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(call_what_is_gone(), "fatal signal 11");
}

TEST(LateEventDeathTest, ExcusesNoOtherFault) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto write_to_what_is_gone = [] {
    expect_late_events(true);
    void* const page = map_private(page_bytes());
    unmap(page, page_bytes());
    std::thread([page] { *static_cast<volatile int*>(page) = 1; }).join();
  };
  EXPECT_DEATH(write_to_what_is_gone(), "fatal signal 11");
}

}  // namespace
