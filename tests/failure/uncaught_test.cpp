#include "system/failure/failure.hpp"
#include "tests/harness/tasks.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace {

using namespace Grappa;

TEST(UncaughtDeathTest, AnExceptionAbortsTheJobWithItsText) {
  detail::install_failure_handlers();
  EXPECT_DEATH(run_tasks([] { spawn([] { throw std::runtime_error("no such vertex"); }); }),
               "an exception left a task or a message: no such vertex");
  EXPECT_DEATH(run_tasks([] { throw 7; }),
               "not a std::exception left a task or a message .int, caught");
}

}  // namespace
