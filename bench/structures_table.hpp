#pragma once

/// Throughput of a global set or map: inserts and lookups of keys from a range.

#include "bench/structures_workload.hpp"
#include "structures/combining.hpp"
#include "structures/global_map.hpp"
#include "structures/global_set.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// The operations that differ between set and map.
struct SetOperations {
  typedef Grappa::GlobalSet<uint64_t> Table;
  /// Returns true if the key is new.
  static bool insert(Table* set, uint64_t key) { return set->insert(key); }
  /// Returns false if the answer is impossible.
  static bool lookup(Table* set, uint64_t key, bool* found) {
    *found = set->lookup(key);
    return true;
  }
};

struct MapOperations {
  typedef Grappa::GlobalMap<uint64_t, uint64_t> Table;
  static uint64_t value_of(uint64_t key) { return ~key; }
  static bool insert(Table* map, uint64_t key) { return map->insert(key, value_of(key)); }
  static bool lookup(Table* map, uint64_t key, bool* found) {
    uint64_t value = 0;
    *found = map->lookup(key, &value);
    return !*found || value == value_of(key);
  }
};

/// The same with strings as keys.
inline std::string text_of(uint64_t key) { return "the key " + std::to_string(key); }

struct TextSetOperations {
  typedef Grappa::GlobalSet<std::string> Table;
  static bool insert(Table* set, uint64_t key) { return set->insert(text_of(key)); }
  static bool lookup(Table* set, uint64_t key, bool* found) {
    *found = set->lookup(text_of(key));
    return true;
  }
};

struct TextMapOperations {
  typedef Grappa::GlobalMap<std::string, uint64_t> Table;
  static bool insert(Table* map, uint64_t key) {
    return map->insert(text_of(key), MapOperations::value_of(key));
  }
  static bool lookup(Table* map, uint64_t key, bool* found) {
    uint64_t value = 0;
    *found = map->lookup(text_of(key), &value);
    return !*found || value == MapOperations::value_of(key);
  }
};

/// The operations and keys of a workload.
struct TableLoad {
  int log_range;          // there are 2^log_range different keys
  int lookup_percentage;  // percentage of all operations
  bool distinct;          // the first 2^log_range operations have different keys

  bool is_lookup(int64_t k) const {
    return int(random_choice(k, 16) * 100 >> 16) < lookup_percentage;
  }
  uint64_t key(int64_t k) const {
    // Multiplication by an odd number is a permutation of the numbers below a power of two.
    if (distinct) return (uint64_t(k) * 0x9e3779b97f4a7c15u) & ((uint64_t(1) << log_range) - 1);
    return random_key(k, log_range);
  }
};

/// The keys that the first `n` operations of a load insert, computed without the table.
class InsertedKeys {
 public:
  InsertedKeys(const TableLoad& load, int64_t n);
  bool contains(uint64_t key) const { return (words_[key / 64] >> (key % 64) & 1) != 0; }
  int64_t size() const { return size_; }

 private:
  std::vector<uint64_t> words_;  // one bit for each key of the range
  int64_t size_ = 0;
};

/// The keys on this core, during the check of a run.
extern const InsertedKeys* inserted_keys;

/// Limit for the inserted keys that are looked up after a run, and for the keys of the range.
constexpr int64_t kKeysChecked = 1 << 16;

/// Runs `n` operations on keys from a range of 2^`log_range`, of which 1% are erasures and half are
/// inserts, on a new set with caches of known keys for `known_keys` keys (--known_keys). The result
/// is right if the set has as many keys as were inserted and not erased. From: the main task.
Run run_erasures(int log_range, int64_t n, int known_keys);

/// Returns the capacity for create(), slightly more than `keys`: keys are not distributed evenly,
/// and the growth of the table on one core would dominate the time.
inline int64_t capacity_for(int64_t keys) { return keys + keys / 64; }

/// Runs `n` operations of a new table. The result is right under three conditions: the table has
/// exactly the inserted keys (checked by the size and by up to kKeysChecked lookups of inserted
/// keys and of keys of the range), each inserted key was new to exactly one insert, and every
/// lookup that found a key returned the value of that key. From: the main task.
template <class Operations>
Run run_table(Grappa::Combining mode, const TableLoad& load, int64_t n) {
  typedef typename Operations::Table Table;
  const int64_t range = int64_t(1) << load.log_range;
  const auto table = Table::create(capacity_for(std::min(n, range)), mode);
  Run run = run_operations(n, [table, load](int64_t k) {
    Table* const here = table.operator->();
    const uint64_t key = load.key(k);
    if (load.is_lookup(k)) {
      bool found;
      if (!Operations::lookup(here, key, &found)) ++tally.wrong;
    } else if (Operations::insert(here, key)) {
      ++tally.inserted;
    }
  });

  const int64_t size = int64_t(table->size());
  Grappa::on_all_cores([load, n] { inserted_keys = new InsertedKeys(load, n); });
  const auto check = [table](uint64_t key, bool expected) {
    bool found;
    const bool possible = Operations::lookup(table.operator->(), key, &found);
    if (!possible || found != expected) ++tally.wrong;
  };
  const int64_t keys = std::min(range, kKeysChecked);
  Grappa::forall(0, keys, [check, range, keys](int64_t k) {
    const auto key = uint64_t(range / keys * k);
    check(key, inserted_keys->contains(key));
  });
  const int64_t operations = std::min(n, kKeysChecked);
  Grappa::forall(0, operations, [check, load, n, operations](int64_t k) {
    const int64_t operation = n / operations * k;
    if (!load.is_lookup(operation)) check(load.key(operation), true);
  });
  const Tally all = take_tallies();
  const int64_t inserted = inserted_keys->size();
  run.right = size == inserted && all.inserted == inserted && all.wrong == 0;
  Grappa::on_all_cores([] {
    delete inserted_keys;
    inserted_keys = nullptr;
  });
  table->destroy();
  return run;
}

}  // namespace bench
