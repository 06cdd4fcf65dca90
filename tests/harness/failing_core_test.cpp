/// Fails on the last core only, in a delegate, where no TEST is running. The job must fail.

#include <Grappa.hpp>
#include <gtest/gtest.h>

TEST(FailingCore, FailsTheJob) {
  const Grappa::Core last = Grappa::cores() - 1;
  Grappa::delegate::call(last, [] {
    EXPECT_EQ(-1, static_cast<int>(Grappa::mycore()));
    return 0;
  });
}
