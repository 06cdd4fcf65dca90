#include "system/tasking/switch.hpp"

#include "system/base/units.hpp"
#include "system/tasking/stack.hpp"

#include <cfenv>
#include <cstdint>
#include <exception>
#include <gtest/gtest.h>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

/// A context with its own stack.
struct Place {
  explicit Place(size_t bytes = 64 * KiB)
      : area(bytes, StackPlacement::Guarded, 1), stack(area.take()) {}
  ~Place() { end_context(&fiber); }

  template <void (*Entry)()>
  void prepare() {
    saved = make_context(stack.top(), stack.bytes, first_instruction<Entry>, &fiber);
  }

  void go_to(Place* next) { switch_context(&saved, next->saved, &fiber, &next->fiber); }

  StackArea area;
  Stack stack;
  void* saved = nullptr;
  Fiber fiber;
};

/// The context of the test itself.
struct Root {
  Root() { adopt_thread(&fiber); }

  void go_to(Place* next) { switch_context(&saved, next->saved, &fiber, &next->fiber); }
  void come_back_from(Place* place) { switch_context(&place->saved, saved, &place->fiber, &fiber); }

  void* saved = nullptr;
  Fiber fiber;
};

Root* root;
Place* first;
Place* second;
std::vector<int>* order;

void append_one() {
  for (;;) {
    order->push_back(1);
    root->come_back_from(first);
  }
}

void append_one_and_go_on() {
  for (;;) {
    order->push_back(1);
    first->go_to(second);
  }
}

void append_two() {
  for (;;) {
    order->push_back(2);
    root->come_back_from(second);
  }
}

class Switch : public testing::Test {
 protected:
  void SetUp() override {
    root = &root_;
    first = &first_;
    second = &second_;
    order = &order_;
  }

  Root root_;
  Place first_, second_;
  std::vector<int> order_;
};

TEST_F(Switch, Returns) {
  first->prepare<append_one>();
  EXPECT_TRUE(order->empty());
  root->go_to(first);
  EXPECT_EQ(*order, (std::vector<int>{1}));
}

TEST_F(Switch, ResumesAtTheSavedPoint) {
  first->prepare<append_one>();
  for (int k = 0; k < 3; ++k) {
    order->push_back(0);
    root->go_to(first);
  }
  EXPECT_EQ(*order, (std::vector<int>{0, 1, 0, 1, 0, 1}));
}

TEST_F(Switch, SwitchesAmongSeveralContexts) {
  first->prepare<append_one_and_go_on>();
  second->prepare<append_two>();
  root->go_to(first);
  root->go_to(first);
  EXPECT_EQ(*order, (std::vector<int>{1, 2, 1, 2}));
}

uintptr_t place_of_local;

void look() {
  place_of_local = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  root->come_back_from(first);
}

TEST_F(Switch, RunsOnTheGivenStack) {
  first->prepare<look>();
  root->go_to(first);
  EXPECT_GE(place_of_local, reinterpret_cast<uintptr_t>(first->stack.bottom));
  EXPECT_LT(place_of_local, reinterpret_cast<uintptr_t>(first->stack.top()));
}

int caught;

void throw_and_catch_across_a_switch() {
  try {
    throw 1;
  } catch (int value) {
    root->come_back_from(first);
    try {
      throw;
    } catch (int again) {
      caught = value + again;
    }
  }
  root->come_back_from(first);
}

TEST_F(Switch, SeparatesTheExceptionsOfContexts) {
  caught = 0;
  first->prepare<throw_and_catch_across_a_switch>();
  try {
    throw 10;
  } catch (int) {
    root->go_to(first);
    try {
      throw;
    } catch (int mine) {
      EXPECT_EQ(mine, 10);
    }
    root->go_to(first);
  }
  EXPECT_EQ(caught, 2);
  EXPECT_EQ(std::uncaught_exception(), false);
}

TEST_F(Switch, EachContextHasItsOwnFloatingPointEnvironment) {
  first->prepare<append_one>();
  std::fesetround(FE_UPWARD);
  root->go_to(first);
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
}

}  // namespace
}  // namespace Grappa
