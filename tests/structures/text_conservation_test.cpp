///
/// Many operations on sets and maps with strings neither lose nor duplicate keys and values.
/// --text_operations is small by default, and ten million in the job with the label `stress`.
///
/// Keys have 0 to 5,000 bytes. Those of even numbers are inserted and erased again, always with the
/// same value. Those of odd numbers stay: values are added to their values, and tasks take their
/// values. Each core adds up the values that it has put in, minus those that it has taken out. The
/// sum of all cores is compared with that of a loop, and with that of lookups, which also notice a
/// key that is stored twice. Sums are multiset hashes, as in conservation_test.cpp.

#include "structures/global_map.hpp"
#include "structures/global_multi_map.hpp"
#include "structures/global_set.hpp"

#include <Grappa.hpp>

#include "tests/harness/counted.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

DEFINE_int64(text_operations, 120000, "operations of all cores on each structure with strings");

namespace {

using namespace Grappa;

constexpr int64_t kTasksPerCore = 256;
constexpr int64_t kFrequentKeys = 64;
constexpr int kRepeatedParts = 3;  // added asynchronously, so that cores combine them

uint64_t mixed(uint64_t x) {  // the finaliser of SplitMix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Keys 1 to 255 have one byte. Longer keys begin with their number, so all keys are different.
std::string key_of(int64_t number) {
  if (number < 256) return std::string(number == 0 ? 0 : 1, static_cast<char>(number));
  const auto bits = static_cast<uint64_t>(number);
  uint64_t draw = mixed(bits);
  std::string key(8 + draw % (draw % 61 == 0 ? 5000 : 300), 0);
  for (size_t at = 8; at + 8 <= key.size(); at += 8) {
    draw = mixed(draw + bits);
    std::memcpy(&key[at], &draw, 8);
  }
  std::memcpy(&key[0], &bits, 8);
  return key;
}

uint64_t hash_of(StringView key) {
  uint64_t hash = key.size();
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x9e3779b97f4a7c15u;
  return mixed(hash);
}

// The value of a key consists of parts, which are positive numbers. The functions that follow
// create a value with one part, and return the number of parts and the sum of their hashes. The
// parts of an integer are one number: it counts as many parts.

template <class V>
V value_of(int64_t part);
template <>
int64_t value_of<int64_t>(int64_t part) {
  return part;
}
template <>
std::string value_of<std::string>(int64_t part) {
  return std::to_string(part) + std::string(static_cast<size_t>(part % 200), ' ') + ';';
}
template <>
std::vector<int64_t> value_of<std::vector<int64_t>>(int64_t part) {
  return {part};
}

int64_t parts_of(int64_t value) { return value; }
int64_t parts_of(const std::string& value) { return std::count(value.begin(), value.end(), ';'); }
int64_t parts_of(const std::vector<int64_t>& value) { return static_cast<int64_t>(value.size()); }

uint64_t sum_of(int64_t value) { return static_cast<uint64_t>(value); }
uint64_t sum_of(const std::string& value) {
  uint64_t sum = 0;
  size_t at = 0;
  while (at != value.size()) {
    sum += mixed(std::stoull(value.substr(at, 20)));
    at = value.find(';', at) + 1;
  }
  return sum;
}
uint64_t sum_of(const std::vector<int64_t>& value) {
  uint64_t sum = 0;
  for (const int64_t part : value) sum += mixed(static_cast<uint64_t>(part));
  return sum;
}

/// The values of several keys together. Parts of different keys have different weights.
struct Tally {
  int64_t parts;
  uint64_t sum;

  explicit Tally(int64_t its_parts = 0, uint64_t its_sum = 0) : parts(its_parts), sum(its_sum) {}

  void add(const Tally& other) {
    parts += other.parts;
    sum += other.sum;
  }
  void subtract(const Tally& other) {
    parts -= other.parts;
    sum -= other.sum;
  }
  bool operator==(const Tally& other) const { return parts == other.parts && sum == other.sum; }
};

std::ostream& operator<<(std::ostream& out, const Tally& tally) {
  return out << tally.parts << " parts with sum " << tally.sum;
}

template <class V>
Tally tally_of(uint64_t weight, const V& value) {
  return Tally(parts_of(value), weight * sum_of(value));
}

Tally total(GlobalAddress<Tally> tally) {
  Tally all;
  all.parts = sum_all_cores([tally] { return tally->parts; });
  all.sum = sum_all_cores([tally] { return tally->sum; });
  return all;
}

/// One operation on a random key, and the changes that it makes.
struct Step {
  int64_t number;  // of the key
  std::string key;
  uint64_t weight;
  int64_t part;    // new
  uint64_t which;  // a random number that selects the operation
  GlobalAddress<Tally> inside;

  Step(uint64_t draw, int64_t keys, GlobalAddress<Tally> inside_of_structure)
      : number(static_cast<int64_t>(draw >> 32) % (draw % 4 == 0 ? kFrequentKeys : keys)),
        key(key_of(number)),
        weight(hash_of(key)),
        part(number % 2 == 0 ? number + 1 : 1 + static_cast<int64_t>((draw >> 16) % 100000)),
        which(draw >> 2 & 7),
        inside(inside_of_structure) {}
};

struct Set {
  typedef GlobalSet<std::string> Structure;
  typedef GlobalAddress<Structure> Address;

  /// A key in a set counts as one part, which is 1.
  static Tally tally_of_key(StringView key) { return Tally(1, hash_of(key)); }

  static void make(Address set, const Step& step) {
    const Tally one(1, step.weight);
    if (step.which < 2) {
      if (set->insert(step.key)) step.inside->add(one);
    } else if (step.which < 4) {
      const auto inside = step.inside;
      set->insert<async>(step.key, [inside](StringView key) { inside->add(tally_of_key(key)); });
    } else if (step.which < 7) {
      if (set->erase(step.key)) step.inside->subtract(one);
    } else {
      set->contains(step.key);
    }
  }

  static int64_t keys(Address set) { return set->size(); }

  static void add_up(Address set, GlobalAddress<Tally> all) {
    set->forall_keys([all](StringView key) { all->add(tally_of_key(key)); });
  }

  static Tally of_key(Address set, const std::string& key) {
    return set->contains(key) ? tally_of_key(key) : Tally();
  }
};

/// The operations that maps and multimaps have in common. `value` is the value of a key: of a
/// multimap, a list.
template <class Map, class V, class Operations>
struct Entries {
  typedef Map Structure;
  typedef GlobalAddress<Map> Address;

  static void make(Address map, const Step& step) {
    if (step.number % 2 != 0) return make_sum(map, step);
    const Tally its = tally_of(step.weight, value_of<V>(step.part));
    const auto inside = step.inside;
    const int64_t part = step.part;
    const auto put = [inside, its, part](V& value) {
      if (value == V()) inside->add(its);
      value = value_of<V>(part);
    };
    if (step.which < 2) {
      if (Operations::insert(map, step.key, part)) inside->add(its);
    } else if (step.which < 3) {
      map->update(step.key, put);
    } else if (step.which < 4) {
      map->template update<async>(step.key, put);
    } else if (step.which < 7) {
      if (map->erase(step.key)) inside->subtract(its);
    } else {
      const Tally found = of_key(map, step.key);
      EXPECT_TRUE(found == its || found == Tally()) << found << " instead of " << its;
    }
  }

  /// Adds a part to the value of a key, or sets the value and subtracts the old value.
  static void make_sum(Address map, const Step& step) {
    const auto inside = step.inside;
    const uint64_t weight = step.weight;
    const int64_t part = step.part;
    const Tally its = tally_of(weight, value_of<V>(part));
    const auto exchange = [inside, its, weight, part](V& value) {
      inside->add(its);
      inside->subtract(tally_of(weight, value));
      value = value_of<V>(part);
    };
    if (step.which < 2) {
      Operations::add(map, step.key, part);
      inside->add(its);
    } else if (step.which < 5) {
      for (int i = 0; i < kRepeatedParts; ++i) {
        Operations::add_async(map, step.key, part);
        inside->add(its);
      }
    } else if (step.which < 6) {
      map->update(step.key, exchange);
    } else if (step.which < 7) {
      map->template update<async>(step.key, exchange);
    } else {
      Operations::change(map, step.key, exchange);
    }
  }

  static Tally of_key(Address map, const std::string& key) {
    V value = V();
    Operations::find(map, key, &value);
    return tally_of(hash_of(key), value);
  }
};

template <class V>
struct MapOf : Entries<GlobalMap<std::string, V>, V, MapOf<V>> {
  typedef GlobalAddress<GlobalMap<std::string, V>> Address;

  static bool insert(Address map, const std::string& key, int64_t part) {
    return map->insert(key, value_of<V>(part));
  }
  static void add(Address map, const std::string& key, int64_t part) {
    map->insert_or_combine(key, value_of<V>(part));
  }
  static void add_async(Address map, const std::string& key, int64_t part) {
    map->template insert_or_combine<async>(key, value_of<V>(part));
  }
  template <class F>
  static void change(Address map, const std::string& key, F body) {
    map->visit(key, body);
  }
  static int64_t keys(Address map) { return map->size(); }
  static void find(Address map, const std::string& key, V* value) { map->lookup(key, value); }
  static void add_up(Address map, GlobalAddress<Tally> all) {
    map->forall_entries(
        [all](StringView key, const V& value) { all->add(tally_of(hash_of(key), value)); });
  }
};

struct MultiMap : Entries<GlobalMultiMap<std::string, int64_t>, std::vector<int64_t>, MultiMap> {
  typedef std::vector<int64_t> List;

  static bool insert(Address map, const std::string& key, int64_t part) {
    return map->update(key, [part](List& list) {
      const bool is_new = list.empty();
      list.assign(1, part);
      return is_new;
    });
  }
  static void add(Address map, const std::string& key, int64_t part) { map->insert(key, part); }
  static void add_async(Address map, const std::string& key, int64_t part) {
    map->insert<async>(key, part);
  }
  template <class F>
  static void change(Address map, const std::string& key, F body) {
    map->update(key, body);
  }
  static int64_t keys(Address map) { return map->keys(); }
  static void find(Address map, const std::string& key, List* list) { *list = map->values(key); }
  static void add_up(Address map, GlobalAddress<Tally> all) {
    map->forall_entries(
        [all](StringView key, int64_t part) { all->add(tally_of(hash_of(key), List(1, part))); });
  }
};

/// Starts tasks on each core that make random operations, and compares their changes with the
/// structure. Then erases all keys.
template <class Subject>
void conserve(Combining mode, int64_t operations) {
  const auto structure = Subject::Structure::create(0, mode);
  const auto inside = symmetric<Tally>();
  const auto in_loop = symmetric<Tally>();
  const auto found = symmetric<Tally>();
  const int64_t each = operations / (kTasksPerCore * cores());
  const int64_t keys = std::max(operations / 16, 2 * kFrequentKeys);
  on_all_cores([structure, inside, each, keys] {
    forall_here<1>(0, kTasksPerCore, [=](int64_t task) {
      uint64_t draw = static_cast<uint64_t>(mycore() * kTasksPerCore + task);
      for (int64_t i = 0; i < each; ++i) {
        draw = mixed(draw + 0x9e3779b97f4a7c15u);
        Subject::make(structure, Step(draw, keys, inside));
      }
    });
  });

  const int64_t stored = Subject::keys(structure);
  EXPECT_LT(keys / 8, stored) << "few of the " << keys << " keys are in the structure";
  Subject::add_up(structure, in_loop);
  EXPECT_EQ(total(inside), total(in_loop));
  const int64_t erased = sum_all_cores([structure, found, keys]() -> int64_t {
    int64_t mine = 0;
    forall_here<1>(0, kTasksPerCore, [=, &mine](int64_t task) {
      const int64_t stride = kTasksPerCore * cores();
      for (int64_t k = mycore() * kTasksPerCore + task; k < keys; k += stride) {
        const std::string key = key_of(k);
        found->add(Subject::of_key(structure, key));
        mine += structure->erase(key);
      }
    });
    return mine;
  });
  EXPECT_EQ(total(inside), total(found));
  EXPECT_EQ(stored, erased);
  EXPECT_TRUE(structure->empty());
  for (const auto each_tally : {inside, in_loop, found}) global_free(each_tally);
  structure->destroy();
}

template <class Subject>
void conserve_in_each_mode() {
  conserve<Subject>(Combining::Distributed, FLAGS_text_operations);
  conserve<Subject>(Combining::None, FLAGS_text_operations / 10);
  conserve<Subject>(Combining::Centralized, FLAGS_text_operations / 10);
}

TEST(TextSet, ConservesKeys) { conserve_in_each_mode<Set>(); }

TEST(TextMap, ConservesSums) {
  const Gain summed("structures.summed");
  conserve_in_each_mode<MapOf<int64_t>>();
  EXPECT_LT(static_cast<uint64_t>(FLAGS_text_operations / 50), summed.value());
}

TEST(TextMap, ConservesStrings) {
  const Gain summed("structures.summed");
  conserve_in_each_mode<MapOf<std::string>>();
  EXPECT_LT(static_cast<uint64_t>(FLAGS_text_operations / 50), summed.value());
}

TEST(MultiMap, ConservesValues) { conserve_in_each_mode<MultiMap>(); }

}  // namespace
