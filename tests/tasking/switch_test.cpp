#include "system/tasking/switch.hpp"

#include "system/base/units.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace Grappa {
namespace {

/// A context that appends its number to a list each time it is resumed, and goes on to the next.
struct Player {
  explicit Player(int its_number) : number(its_number), stack(64 * KiB) {}

  void prepare(Context* goes_on_to, std::vector<int>* list) {
    next = goes_on_to;
    order = list;
    make_context(&context, stack, play, this);
  }

  static void play(void* self) {
    Player& me = *static_cast<Player*>(self);
    for (;;) {
      me.order->push_back(me.number);
      switch_context(&me.context, me.next);
    }
  }

  int number;
  Stack stack;
  Context context;
  Context* next = nullptr;
  std::vector<int>* order = nullptr;
};

TEST(Switch, EntersWithItsArgumentAndComesBack) {
  Context root;
  std::vector<int> order;
  Player player(7);
  player.prepare(&root, &order);
  EXPECT_TRUE(order.empty());
  switch_context(&root, &player.context);
  EXPECT_EQ(order, (std::vector<int>{7}));
}

TEST(Switch, ResumesWhereItLeft) {
  Context root;
  std::vector<int> order;
  Player player(1);
  player.prepare(&root, &order);
  for (int k = 0; k < 3; ++k) {
    order.push_back(0);
    switch_context(&root, &player.context);
  }
  EXPECT_EQ(order, (std::vector<int>{0, 1, 0, 1, 0, 1}));
}

TEST(Switch, GoesRoundSeveralContexts) {
  Context root;
  std::vector<int> order;
  Player first(1), second(2);
  first.prepare(&second.context, &order);
  second.prepare(&root, &order);
  switch_context(&root, &first.context);
  switch_context(&root, &first.context);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 1, 2}));
}

TEST(Switch, RunsOnTheStackGiven) {
  struct Looker {
    Context context, root;
    uintptr_t local = 0;

    static void look(void* self) {
      Looker& me = *static_cast<Looker*>(self);
      me.local = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
      switch_context(&me.context, &me.root);
    }
  } looker;
  Stack stack(64 * KiB);
  make_context(&looker.context, stack, Looker::look, &looker);
  switch_context(&looker.root, &looker.context);
  EXPECT_GE(looker.local, reinterpret_cast<uintptr_t>(stack.bottom()));
  EXPECT_LT(looker.local, reinterpret_cast<uintptr_t>(stack.top()));
}

void return_at_once(void*) {}

TEST(SwitchDeathTest, AnEntryMustNotReturn) {
  EXPECT_DEATH(
      {
        Context root;
        Context context;
        Stack stack(256 * KiB);
        make_context(&context, stack, return_at_once, nullptr);
        switch_context(&root, &context);
      },
      "entry function returned");
}

}  // namespace
}  // namespace Grappa
