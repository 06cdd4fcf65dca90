#include "structures/global_map.hpp"
#include "structures/global_multi_map.hpp"

#include <Grappa.hpp>

#include "tests/structures/modes.hpp"
#include "tests/structures/numbers_as_values.hpp"
#include "tests/structures/recorded_history.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace linearizability { namespace {

using namespace Grappa;

struct Add {
  template <class V>
  V operator()(const V& a, const V& b) const {
    return value_of<V>(number_of(a) + number_of(b));
  }
};

template <class V>
struct TextMap {
  typedef GlobalAddress<GlobalMap<std::string, V>> Address;

  static uint64_t create(int mode) {
    return GlobalMap<std::string, V>::create(0, static_cast<Combining>(mode)).raw_bits();
  }

  static void destroy(uint64_t structure) { Address::from_raw(structure)->destroy(); }

  static int64_t exchange(Address map, const std::string& key, int64_t value) {
    return map->update(key, [value](V& in) {
      const int64_t old = number_of(in);
      in = value_of<V>(value);
      return old;
    });
  }

  static void lookup(Address map, const std::string& key, Operation* operation) {
    V value = V();
    operation->yes = map->lookup(key, &value);
    if (operation->yes) operation->result = number_of(value);
  }

  static void make(uint64_t structure, Operation* operation) {
    const Address map = Address::from_raw(structure);
    const std::string key(static_cast<size_t>(operation->key), 'k');
    const V value = value_of<V>(operation->value);
    switch (operation->kind) {
      case Kind::Insert: operation->yes = map->insert(key, value); return;
      case Kind::Combine: operation->yes = map->insert_or_combine(key, value, Add()); return;
      case Kind::Update: operation->result = exchange(map, key, operation->value); return;
      case Kind::Erase: operation->yes = map->erase(key); return;
      default: lookup(map, key, operation);
    }
  }

  static void check(Combining mode) {
    const Subject subject = {&kMap, false, create, destroy, make};
    expect_linearizable(subject, static_cast<int>(mode));
  }
};

/// A multimap as a map from each key to the sum of its list. An insert adds to the sum.
template <class V>
struct TextMultiMap {
  typedef GlobalMultiMap<std::string, V> Map;
  typedef GlobalAddress<Map> Address;

  static uint64_t create(int mode) {
    return Map::create(0, static_cast<Combining>(mode)).raw_bits();
  }

  static void destroy(uint64_t structure) { Address::from_raw(structure)->destroy(); }

  static int64_t sum_of(const std::vector<V>& list) {
    int64_t sum = 0;
    for (const V& value : list) sum += number_of(value);
    return sum;
  }

  static int64_t exchange(Address map, const std::string& key, int64_t value) {
    return map->update(key, [value](std::vector<V>& list) {
      const int64_t old = sum_of(list);
      list.assign(1, value_of<V>(value));
      return old;
    });
  }

  static bool replace(Address map, const std::string& key, int64_t value) {
    return map->update(key, [value](std::vector<V>& list) {
      const bool is_new = list.empty();
      list.assign(1, value_of<V>(value));
      return is_new;
    });
  }

  static void lookup(Address map, const std::string& key, Operation* operation) {
    const std::vector<V> list = map->values(key);
    operation->yes = !list.empty();
    if (operation->yes) operation->result = sum_of(list);
  }

  static void make(uint64_t structure, Operation* operation) {
    const Address map = Address::from_raw(structure);
    const std::string key(static_cast<size_t>(operation->key), 'k');
    switch (operation->kind) {
      case Kind::Insert: operation->yes = replace(map, key, operation->value); return;
      case Kind::Combine: operation->yes = map->insert(key, value_of<V>(operation->value)); return;
      case Kind::Update: operation->result = exchange(map, key, operation->value); return;
      case Kind::Erase: operation->yes = map->erase(key); return;
      default: lookup(map, key, operation);
    }
  }

  static void check(Combining mode) {
    const Subject subject = {&kMap, false, create, destroy, make};
    expect_linearizable(subject, static_cast<int>(mode));
  }
};

class TextMapHistories : public EachMode {};

TEST_P(TextMapHistories, AreLinearizable) { TextMap<int64_t>::check(GetParam()); }

TEST_P(TextMapHistories, WithValuesOfVariableLengthAreLinearizable) {
  TextMap<std::string>::check(GetParam());
}

GRAPPA_IN_EACH_MODE(TextMapHistories);

class MultiMapHistories : public EachMode {};

TEST_P(MultiMapHistories, AreLinearizable) { TextMultiMap<int64_t>::check(GetParam()); }

TEST_P(MultiMapHistories, WithValuesOfVariableLengthAreLinearizable) {
  TextMultiMap<std::string>::check(GetParam());
}

GRAPPA_IN_EACH_MODE(MultiMapHistories);

}}  // namespace linearizability
