#include "structures/global_set.hpp"

#include <Grappa.hpp>

#include "tests/structures/recorded_history.hpp"

#include <gtest/gtest.h>

namespace linearizability {
namespace {

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

TEST(GlobalSet, IsLinearizableWithoutCombining) {
  expect_linearizable(kGlobalSet, static_cast<int>(Combining::None));
}

TEST(GlobalSet, IsLinearizableWithCentralizedCombining) {
  expect_linearizable(kGlobalSet, static_cast<int>(Combining::Centralized));
}

TEST(GlobalSet, IsLinearizableWithDistributedCombining) {
  expect_linearizable(kGlobalSet, static_cast<int>(Combining::Distributed));
}

}  // namespace
}  // namespace linearizability
