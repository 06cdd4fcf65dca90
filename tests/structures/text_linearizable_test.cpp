#include "structures/global_map.hpp"
#include "structures/global_multi_map.hpp"

#include <Grappa.hpp>

#include "tests/structures/modes.hpp"
#include "tests/structures/numbers_as_keys.hpp"
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

/// A map whose operations are the functions of `Calls`.
template <class Map, class Calls>
struct Keyed {
  typedef GlobalAddress<Map> Address;

  static uint64_t create(int mode) {
    return Map::create(0, static_cast<Combining>(mode)).raw_bits();
  }

  static void destroy(uint64_t structure) { Address::from_raw(structure)->destroy(); }

  static void make(uint64_t structure, Operation* operation) {
    const Address map = Address::from_raw(structure);
    const auto key = key_of<typename Map::key_type>(operation->key);
    const int64_t number = operation->value;
    const Kind kind = operation->kind;
    if (make_async(operation,
                   [map, kind, &key, number] { Calls::start(map, kind, key, number); })) {
      return;
    }
    switch (kind) {
      case Kind::Insert: operation->yes = Calls::insert(map, key, number); return;
      case Kind::Combine: operation->yes = Calls::combine(map, key, number); return;
      case Kind::Update: operation->result = Calls::exchange(map, key, number); return;
      case Kind::Visit: operation->yes = Calls::visit(map, key, number); return;
      case Kind::Contains: operation->yes = map->contains(key); return;
      case Kind::Erase: operation->yes = map->erase(key); return;
      default: Calls::lookup(map, key, operation);
    }
  }

  static void check(Combining mode) {
    const Subject subject = {&kMap, false, create, destroy, make};
    expect_linearizable(subject, static_cast<int>(mode));
  }
};

template <class K, class V>
struct MapOf : Keyed<GlobalMap<K, V>, MapOf<K, V>> {
  typedef GlobalAddress<GlobalMap<K, V>> Address;

  static bool insert(Address map, const K& key, int64_t number) {
    return map->insert(key, value_of<V>(number));
  }

  static bool combine(Address map, const K& key, int64_t number) {
    return map->insert_or_combine(key, value_of<V>(number), Add());
  }

  static int64_t exchange(Address map, const K& key, int64_t number) {
    return map->update(key, [number](V& in) {
      const int64_t old = number_of(in);
      in = value_of<V>(number);
      return old;
    });
  }

  static bool visit(Address map, const K& key, int64_t number) {
    return map->visit(key, [number](V& in) { in = value_of<V>(number_of(in) + number); });
  }

  static void start(Address map, Kind kind, const K& key, int64_t number) {
    const auto assign = [number](V& in) { in = value_of<V>(number); };
    const auto add = [number](V& in) { in = value_of<V>(number_of(in) + number); };
    switch (kind) {
      case Kind::Insert: return map->template insert<async>(key, value_of<V>(number));
      case Kind::Combine:
        return map->template insert_or_combine<async>(key, value_of<V>(number), Add());
      case Kind::Update: return map->template update<async>(key, assign);
      default: map->template visit<async>(key, add);
    }
  }

  static void lookup(Address map, const K& key, Operation* operation) {
    V value = V();
    operation->yes = map->lookup(key, &value);
    if (operation->yes) operation->result = number_of(value);
  }
};

/// A multimap as a map from each key to the sum of its list. An insert adds to the sum.
template <class K, class V>
struct MultiMapOf : Keyed<GlobalMultiMap<K, V>, MultiMapOf<K, V>> {
  typedef GlobalAddress<GlobalMultiMap<K, V>> Address;

  static int64_t sum_of(const std::vector<V>& list) {
    int64_t sum = 0;
    for (const V& value : list) sum += number_of(value);
    return sum;
  }

  static bool insert(Address map, const K& key, int64_t number) {
    return map->update(key, [number](std::vector<V>& list) {
      const bool is_new = list.empty();
      list.assign(1, value_of<V>(number));
      return is_new;
    });
  }

  static bool combine(Address map, const K& key, int64_t number) {
    return map->insert(key, value_of<V>(number));
  }

  static int64_t exchange(Address map, const K& key, int64_t number) {
    return map->update(key, [number](std::vector<V>& list) {
      const int64_t old = sum_of(list);
      list.assign(1, value_of<V>(number));
      return old;
    });
  }

  static bool visit(Address map, const K& key, int64_t number) {
    return map->visit(key, [number](std::vector<V>& list) { list.push_back(value_of<V>(number)); });
  }

  static void start(Address map, Kind kind, const K& key, int64_t number) {
    const auto assign = [number](std::vector<V>& list) { list.assign(1, value_of<V>(number)); };
    const auto append = [number](std::vector<V>& list) { list.push_back(value_of<V>(number)); };
    switch (kind) {
      case Kind::Combine: return map->template insert<async>(key, value_of<V>(number));
      case Kind::Visit: return map->template visit<async>(key, append);
      default: map->template update<async>(key, assign);
    }
  }

  static void lookup(Address map, const K& key, Operation* operation) {
    const std::vector<V> list = map->values(key);
    operation->yes = !list.empty();
    if (operation->yes) operation->result = sum_of(list);
  }
};

class TextMapHistories : public EachMode {};

TEST_P(TextMapHistories, AreLinearizable) { MapOf<std::string, int64_t>::check(GetParam()); }

TEST_P(TextMapHistories, WithValuesOfVariableLengthAreLinearizable) {
  MapOf<std::string, std::string>::check(GetParam());
}

TEST_P(TextMapHistories, WithVectorsAsKeysAreLinearizable) {
  MapOf<std::vector<int32_t>, int64_t>::check(GetParam());
}

TEST_P(TextMapHistories, WithKeysOfATypeWithASerializeAreLinearizable) {
  MapOf<Place, std::string>::check(GetParam());
}

GRAPPA_IN_EACH_MODE(TextMapHistories);

class MultiMapHistories : public EachMode {};

TEST_P(MultiMapHistories, AreLinearizable) { MultiMapOf<std::string, int64_t>::check(GetParam()); }

TEST_P(MultiMapHistories, WithKeysAndValuesOfVariableLengthAreLinearizable) {
  MultiMapOf<Place, std::string>::check(GetParam());
}

GRAPPA_IN_EACH_MODE(MultiMapHistories);

}}  // namespace linearizability
