#include "structures/global_map.hpp"

#include <Grappa.hpp>

#include "tests/structures/modes.hpp"
#include "tests/structures/recorded_history.hpp"

#include <gtest/gtest.h>

namespace linearizability { namespace {

using namespace Grappa;

typedef GlobalAddress<GlobalMap<int64_t, int64_t>> Address;

uint64_t create(int mode) {
  return GlobalMap<int64_t, int64_t>::create(0, static_cast<Combining>(mode)).raw_bits();
}

void destroy(uint64_t structure) { Address::from_raw(structure)->destroy(); }

int64_t add(int64_t a, int64_t b) { return a + b; }

int64_t exchange(Address map, int64_t key, int64_t value) {
  return map->update(key, [value](int64_t& in) {
    const int64_t old = in;
    in = value;
    return old;
  });
}

bool visit(Address map, int64_t key, int64_t value) {
  return map->visit(key, [value](int64_t& in) { in += value; });
}

void start(Address map, Kind kind, int64_t key, int64_t value) {
  switch (kind) {
    case Kind::Insert: return map->insert<async>(key, value);
    case Kind::Combine: return map->insert_or_combine<async>(key, value, add);
    case Kind::Update: return map->update<async>(key, [value](int64_t& in) { in = value; });
    default: map->visit<async>(key, [value](int64_t& in) { in += value; });
  }
}

void make(uint64_t structure, Operation* operation) {
  const Address map = Address::from_raw(structure);
  const int64_t key = operation->key;
  const int64_t value = operation->value;
  const Kind kind = operation->kind;
  if (make_async(operation, [map, kind, key, value] { start(map, kind, key, value); })) return;
  switch (operation->kind) {
    case Kind::Insert: operation->yes = map->insert(key, value); return;
    case Kind::Combine: operation->yes = map->insert_or_combine(key, value, add); return;
    case Kind::Update: operation->result = exchange(map, key, value); return;
    case Kind::Visit: operation->yes = visit(map, key, value); return;
    case Kind::Contains: operation->yes = map->contains(key); return;
    case Kind::Erase: operation->yes = map->erase(key); return;
    default: operation->yes = map->lookup(key, &operation->result);
  }
}

const Subject kGlobalMap = {&kMap, false, create, destroy, make};

class GlobalMapHistories : public EachMode {};

TEST_P(GlobalMapHistories, AreLinearizable) {
  expect_linearizable(kGlobalMap, static_cast<int>(GetParam()));
}

GRAPPA_IN_EACH_MODE(GlobalMapHistories);

}}  // namespace linearizability
