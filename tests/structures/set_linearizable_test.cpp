#include "structures/global_set.hpp"

#include <Grappa.hpp>

#include "tests/structures/modes.hpp"
#include "tests/structures/recorded_history.hpp"

#include <gtest/gtest.h>

namespace linearizability { namespace {

using namespace Grappa;

typedef GlobalAddress<GlobalSet<int64_t>> Address;

uint64_t create(int mode) {
  return GlobalSet<int64_t>::create(0, static_cast<Combining>(mode)).raw_bits();
}

void destroy(uint64_t structure) { Address::from_raw(structure)->destroy(); }

void make(uint64_t structure, Operation* operation) {
  const Address set = Address::from_raw(structure);
  const int64_t key = operation->key;
  switch (operation->kind) {
    case Kind::Insert: operation->yes = set->insert(key); return;
    case Kind::Erase: operation->yes = set->erase(key); return;
    default: operation->yes = set->lookup(key);
  }
}

const Subject kGlobalSet = {&kSet, false, create, destroy, make};

class GlobalSetHistories : public EachMode {};

TEST_P(GlobalSetHistories, AreLinearizable) {
  expect_linearizable(kGlobalSet, static_cast<int>(GetParam()));
}

GRAPPA_IN_EACH_MODE(GlobalSetHistories);

}}  // namespace linearizability
