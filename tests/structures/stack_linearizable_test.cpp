#include "structures/global_stack.hpp"

#include <Grappa.hpp>

#include "tests/structures/modes.hpp"
#include "tests/structures/recorded_history.hpp"

#include <gtest/gtest.h>

namespace linearizability { namespace {

using namespace Grappa;

typedef GlobalAddress<GlobalStack<int64_t>> Address;

uint64_t create(int mode) {
  return GlobalStack<int64_t>::create(0, static_cast<Combining>(mode)).raw_bits();
}

void destroy(uint64_t structure) { Address::from_raw(structure)->destroy(); }

/// One third of the pushes are async. For an async push, the recorded return is the end of its
/// scope.
void make(uint64_t structure, Operation* operation) {
  const Address stack = Address::from_raw(structure);
  const int64_t value = operation->value;
  if (operation->kind == Kind::Size) {
    operation->result = stack->size();
  } else if (operation->kind == Kind::TryPop) {
    operation->yes = stack->try_pop(&operation->result);
  } else if (value % 3 == 0) {
    finish([stack, value] { stack->push<async>(value); });
  } else {
    stack->push(value);
  }
}

const Subject kGlobalStack = {&kStack, true, create, destroy, make};

class GlobalStackHistories : public EachMode {};

TEST_P(GlobalStackHistories, AreLinearizable) {
  expect_linearizable(kGlobalStack, static_cast<int>(GetParam()));
}

GRAPPA_IN_EACH_MODE(GlobalStackHistories);

}}  // namespace linearizability
