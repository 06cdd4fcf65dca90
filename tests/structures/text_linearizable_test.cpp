#include "structures/global_map.hpp"

#include <Grappa.hpp>

#include "tests/structures/modes.hpp"
#include "tests/structures/recorded_history.hpp"

#include <gtest/gtest.h>
#include <string>

namespace linearizability { namespace {

using namespace Grappa;

typedef GlobalAddress<GlobalMap<std::string, int64_t>> Address;

uint64_t create(int mode) {
  return GlobalMap<std::string, int64_t>::create(0, static_cast<Combining>(mode)).raw_bits();
}

void destroy(uint64_t structure) { Address::from_raw(structure)->destroy(); }

int64_t exchange(Address map, const std::string& key, int64_t value) {
  return map->update(key, [value](int64_t& in) {
    const int64_t old = in;
    in = value;
    return old;
  });
}

void make(uint64_t structure, Operation* operation) {
  const Address map = Address::from_raw(structure);
  const std::string key(static_cast<size_t>(operation->key), 'k');
  const int64_t value = operation->value;
  switch (operation->kind) {
    case Kind::Insert: operation->yes = map->insert(key, value); return;
    case Kind::Combine: operation->yes = map->insert_or_combine(key, value); return;
    case Kind::Update: operation->result = exchange(map, key, value); return;
    case Kind::Erase: operation->yes = map->erase(key); return;
    default: operation->yes = map->lookup(key, &operation->result);
  }
}

const Subject kTextMap = {&kMap, false, create, destroy, make};

class TextMapHistories : public EachMode {};

TEST_P(TextMapHistories, AreLinearizable) {
  expect_linearizable(kTextMap, static_cast<int>(GetParam()));
}

GRAPPA_IN_EACH_MODE(TextMapHistories);

}}  // namespace linearizability
