#include "apps/common/verifier_memory.hpp"

#include <gtest/gtest.h>

namespace apps { namespace {

TEST(VerifierMemory, ThatTheNodeLacksIsRefusedForEdgesAndForVertices) {
  Grappa::TupleGraph tuples;
  tuples.nv = 8;
  tuples.nedge = 1000;
  check_verifier_memory(tuples, 24);
  const auto refused = testing::ExitedWithCode(2);
  tuples.nedge = int64_t(1) << 45;
  EXPECT_EXIT(check_verifier_memory(tuples, 24), refused,
              "--verify needs 1.0 PiB on one core; its node has .*; give --noverify");
  tuples.nv = int64_t(1) << 45;
  tuples.nedge = 1000;
  EXPECT_EXIT(check_verifier_memory(tuples, 24), refused, "--verify needs 1.0 PiB on one core");
}

}}  // namespace apps
