#include "structures/global_queue.hpp"

#include <Grappa.hpp>

#include "tests/structures/modes.hpp"
#include "tests/structures/recorded_history.hpp"

#include <gtest/gtest.h>

namespace linearizability { namespace {

using namespace Grappa;

typedef GlobalAddress<GlobalQueue<int64_t>> Address;

uint64_t create(int mode) {
  return GlobalQueue<int64_t>::create(0, static_cast<Combining>(mode)).raw_bits();
}

void destroy(uint64_t structure) { Address::from_raw(structure)->destroy(); }

/// One third of the pushes are async. For an async push, the recorded return is the end of its
/// scope.
void make(uint64_t structure, Operation* operation) {
  const Address queue = Address::from_raw(structure);
  const int64_t value = operation->value;
  if (operation->kind == Kind::Size) {
    operation->result = queue->size();
  } else if (operation->kind == Kind::TryPop) {
    operation->yes = queue->try_pop(&operation->result);
  } else if (value % 3 == 0) {
    finish([queue, value] { queue->push<async>(value); });
  } else {
    queue->push(value);
  }
}

const Subject kGlobalQueue = {&kQueue, true, create, destroy, make};

class GlobalQueueHistories : public EachMode {};

TEST_P(GlobalQueueHistories, AreLinearizable) {
  expect_linearizable(kGlobalQueue, static_cast<int>(GetParam()));
}

GRAPPA_IN_EACH_MODE(GlobalQueueHistories);

}}  // namespace linearizability
