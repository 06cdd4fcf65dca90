#include "system/net/mpi.hpp"

#include "system/failure/failure.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <thread>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

/// The message of the signal handler of the runtime or of a sanitizer.
constexpr char kFault[] = "fatal signal 11|SEGV on unknown address";

/// An address that is never mapped.
constexpr uintptr_t kGone = 4096;

/// The attribute is necessary because Clang's sanitizer of function types would read the memory
/// before the function.
__attribute__((no_sanitize("undefined"))) void call_unmapped() {
  reinterpret_cast<void (*)()>(kGone)();
}

/// Calls unmapped code in a new thread. Returns true if the thread continued.
bool call_what_is_gone() {
  bool went_on = false;
  std::thread([&went_on] {
    call_unmapped();
    went_on = true;
  }).join();
  return went_on;
}

TEST(LateEvent, UnloadedCallsReturnWhileTheObjectExists) {
  install_failure_handlers();
  const LateEvents late_events;
  EXPECT_TRUE(call_what_is_gone());
}

TEST(LateEventDeathTest, UnloadedCallsAreErrorsAfterItsLifetime) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto call_too_late = [] {
    { const LateEvents late_events; }
    call_what_is_gone();
  };
  EXPECT_DEATH(call_too_late(), kFault);
}

TEST(LateEventDeathTest, OtherFaultsAreErrors) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto write_to_what_is_gone = [] {
    const LateEvents late_events;
    std::thread([] { *reinterpret_cast<volatile int*>(kGone) = 1; }).join();
  };
  EXPECT_DEATH(write_to_what_is_gone(), kFault);
}

}  // namespace
