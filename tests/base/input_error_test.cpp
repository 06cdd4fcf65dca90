#include "system/base/input_error.hpp"

#include <cstdio>
#include <gtest/gtest.h>

#include <unistd.h>

namespace Grappa { namespace {

TEST(InputErrorDeathTest, ExitsWithStatusTwoAndOneLine) {
  EXPECT_EXIT(input_error("--cores is 0; expected 1 or more"), testing::ExitedWithCode(2),
              "^input_error_test: --cores is 0; expected 1 or more\n$");
}

TEST(InputErrorDeathTest, CallsTheHook) {
  detail::input_error_hook = [](const char* line) {
    std::fprintf(stderr, "hook: %s", line);
    ::_exit(7);
  };
  EXPECT_EXIT(input_error("no such file"), testing::ExitedWithCode(7),
              "^hook: input_error_test: no such file\n$");
  detail::input_error_hook = nullptr;
}

}}  // namespace Grappa
