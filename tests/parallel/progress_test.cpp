#include "system/parallel/progress.hpp"

#include "system/global/delegate.hpp"
#include "system/observe/clock.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <Grappa.hpp>

#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

/// Begins a step that started a long time ago, so a line is due at once.
std::unique_ptr<Progress> long_step(int64_t all) {
  const VirtualClock past(1);
  return std::unique_ptr<Progress>(new Progress("counting", all, "numbers"));
}

/// Runs `body` with a simulated terminal, and returns the output of this core to stderr.
template <class F>
std::string shown(F body) {
  ::setenv("GRAPPA_TERMINAL", "1", 1);
  testing::internal::CaptureStderr();
  body();
  ::unsetenv("GRAPPA_TERMINAL");
  return testing::internal::GetCapturedStderr();
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(Progress, IsShownByCoreZeroOfALoopOverAllCores) {
  const std::string text = shown([] {
    const auto progress = long_step(100000);
    const Progress::Counter done = progress->counter();
    forall(0, 100000, [done](int64_t, int64_t n) { done.add(n); });
  });
  EXPECT_EQ(0u, text.find("\rcounting: ")) << text;
  EXPECT_NE(std::string::npos, text.find(" numbers/s  ")) << text;
  EXPECT_EQ(1, count(text, "\r\033[K")) << "is erased once: " << text;
}

TEST(Progress, TakesTheShareOfCoreZeroForTheWhole) {
  EXPECT_EQ("\rcounting: 50%  250 numbers/s  2 s left\033[K\r\033[K", shown([] {
              VirtualClock clock;
              Progress progress("counting", 1000, "numbers", 10);
              clock.advance_ns(2000000000);
              progress.add(5);
            }));
}

TEST(Progress, IsNotShownOfAStepThatIsShort) {
  EXPECT_EQ("", shown([] {
              VirtualClock clock;
              Progress progress("counting", 1000, "numbers");
              for (int64_t k = 0; k < 999; ++k) {
                progress.add(1);
                clock.advance_ns(1000000);
              }
            }));
}

TEST(Progress, IsNotShownWithoutATerminal) {
  ::unsetenv("GRAPPA_TERMINAL");
  testing::internal::CaptureStderr();
  EXPECT_FALSE(stderr_is_terminal());
  {
    const auto progress = long_step(10);
    progress->add(10);
  }
  EXPECT_EQ("", testing::internal::GetCapturedStderr());
}

TEST(Progress, IsShownOfOneStepAtATime) {
  const std::string text = shown([] {
    const auto outer = long_step(10);
    {
      const auto inner = long_step(1000);
      inner->add(1000);
    }
    outer->add(1);
  });
  EXPECT_EQ(1, count(text, "counting: ")) << text;
  EXPECT_NE("", shown([] { long_step(10)->add(1); })) << "the next step is shown";
}

TEST(Progress, IsNotShownByOtherCores) {
  on_all_cores([] {
    if (mycore() == 0) return;
    EXPECT_EQ("", shown([] { long_step(10)->add(10); }));
  });
}

}  // namespace
