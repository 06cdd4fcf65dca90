/// Tests of loops with template arguments in any order. Each order must compile and have the same
/// effect.

#include <ParallelLoop.hpp>

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

GlobalCompletionEvent event;
int64_t calls = 0;  // each core has its own instance

// Runs all loops of this macro with the same template arguments. Async loops run in a scope.
#define EXPECT_LOOPS(...)                                           \
  do {                                                              \
    SCOPED_TRACE("forall<" #__VA_ARGS__ ">");                       \
    on_all_cores([] { calls = 0; });                                \
    const auto words = base;                                        \
    const auto mine = make_global(&calls, 0);                       \
    finish([words, mine] {                                          \
      forall_here<__VA_ARGS__>(0, 10, [](int64_t) { ++calls; });    \
      forall<__VA_ARGS__>(0, 100, [](int64_t) { ++calls; });        \
      forall<__VA_ARGS__>(words, 1000, [](int64_t&) { ++calls; });  \
      forall<__VA_ARGS__>(mine, [](int64_t& one) { ++one; });       \
    });                                                             \
    event.wait();                                                   \
    EXPECT_EQ(1110 + cores(), sum_all_cores([] { return calls; })); \
  } while (false)

// These macros test all orders of their arguments.
#define EXPECT_LOOPS_2(a, b) \
  EXPECT_LOOPS(a, b);        \
  EXPECT_LOOPS(b, a)
#define EXPECT_LOOPS_3(a, b, c) \
  EXPECT_LOOPS(a, b, c);        \
  EXPECT_LOOPS(a, c, b);        \
  EXPECT_LOOPS(b, a, c);        \
  EXPECT_LOOPS(b, c, a);        \
  EXPECT_LOOPS(c, a, b);        \
  EXPECT_LOOPS(c, b, a)
#define EXPECT_LOOPS_4_FROM(a, b, c, d) \
  EXPECT_LOOPS(a, b, c, d);             \
  EXPECT_LOOPS(a, b, d, c);             \
  EXPECT_LOOPS(a, c, b, d);             \
  EXPECT_LOOPS(a, c, d, b);             \
  EXPECT_LOOPS(a, d, b, c);             \
  EXPECT_LOOPS(a, d, c, b)

class LoopArguments : public testing::Test {
 protected:
  void SetUp() override { base = global_alloc<int64_t>(1000); }
  void TearDown() override { global_free(base); }

  GlobalAddress<int64_t> base;
};

TEST_F(LoopArguments, MayBeTwoInAnyOrder) {
  EXPECT_LOOPS_2(unbound, async);
  EXPECT_LOOPS_2(unbound, &event);
  EXPECT_LOOPS_2(unbound, 7);
  EXPECT_LOOPS_2(async, &event);
  EXPECT_LOOPS_2(async, 7);
  EXPECT_LOOPS_2(&event, 7);
}

TEST_F(LoopArguments, MayBeThreeInAnyOrder) {
  EXPECT_LOOPS_3(unbound, async, &event);
  EXPECT_LOOPS_3(unbound, async, 7);
  EXPECT_LOOPS_3(unbound, &event, 7);
  EXPECT_LOOPS_3(async, &event, 7);
}

TEST_F(LoopArguments, MayBeAllInAnyOrder) {
  EXPECT_LOOPS_4_FROM(unbound, async, &event, 7);
  EXPECT_LOOPS_4_FROM(async, unbound, &event, 7);
  EXPECT_LOOPS_4_FROM(&event, unbound, async, 7);
  EXPECT_LOOPS_4_FROM(7, unbound, async, &event);
}

}  // namespace
