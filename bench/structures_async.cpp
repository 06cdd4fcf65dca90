#include "bench/structures_async.hpp"

#include "bench/raw_side.hpp"
#include "bench/structures_table.hpp"
#include "system/base/check.hpp"

#include <algorithm>
#include <functional>
#include <memory>

namespace bench {
namespace {

// The table that a map has on each core. This internal class is the baseline.
typedef Grappa::detail::OwnerTable<uint64_t, uint64_t, std::hash<uint64_t>, std::equal_to<uint64_t>>
    LocalTable;

// The table of this core for run_raw_counts().
std::unique_ptr<LocalTable> raw_counts;

void count_keys(const uint64_t* begin, const uint64_t* end) {
  raw_counts->for_each_key(
      size_t(end - begin), [begin](size_t k) -> const uint64_t& { return begin[k]; },
      [begin](size_t k) {
        const auto inserted = raw_counts->insert({begin[k], 1});
        if (!inserted.second) ++inserted.first->value;
      });
}

// The finalizer of A. Appleby's MurmurHash3. Each step is a permutation, so all keys differ.
uint64_t distinct_key(int64_t k) {
  uint64_t x = uint64_t(k);
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdu;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53u;
  return x ^ x >> 33;
}

// Returns the number of keys that are looked up after the run. Half of them have been inserted.
int64_t number_of_checked(int64_t n) { return std::min(n, kKeysChecked); }
int64_t checked(int64_t n, int64_t k) { return k % 2 == 0 ? n / number_of_checked(n) * k : n + k; }

typedef Grappa::GlobalAddress<MapOperations::Table> Map;

Run insert_all(Map map, int64_t n) {
  return run_operations(n, [map](int64_t k) {
    const uint64_t key = distinct_key(k);
    map->insert<Grappa::async>(key, MapOperations::value_of(key));
  });
}

// Checks the map and destroys it.
Run checked_run(Map map, int64_t n, Run run) {
  const int64_t size = int64_t(map->size());
  Grappa::forall(0, number_of_checked(n), [map, n](int64_t k) {
    const int64_t number = checked(n, k);
    bool found;
    const bool possible = MapOperations::lookup(map.operator->(), distinct_key(number), &found);
    if (!possible || found != (number < n)) ++tally.wrong;
  });
  run.right = size == n && take_tallies().wrong == 0;
  map->destroy();
  return run;
}

}  // namespace

Run run_async_inserts(int64_t n) {
  const Map map = MapOperations::Table::create(capacity_for(n));
  return checked_run(map, n, insert_all(map, n));
}

Run run_creation_and_inserts(int64_t n, int64_t capacity) {
  const uint64_t start = Grappa::detail::steady_ns();
  const Map map = MapOperations::Table::create(capacity);
  Run run = insert_all(map, n);
  run.ns = double(Grappa::detail::steady_ns() - start);
  return checked_run(map, n, run);
}

Run run_local_inserts(int64_t n) {
  LocalTable table;
  table.reserve(size_t(capacity_for(n)));
  const uint64_t start = Grappa::detail::steady_ns();
  table.for_each_key(
      size_t(n), [](size_t k) { return distinct_key(int64_t(k)); },
      [&table](size_t k) {
        const uint64_t key = distinct_key(int64_t(k));
        table.insert({key, MapOperations::value_of(key)});
      });
  const double ns = double(Grappa::detail::steady_ns() - start);
  bool right = int64_t(table.size()) == n;
  for (int64_t k = 0; k < number_of_checked(n); ++k) {
    const int64_t number = checked(n, k);
    const uint64_t key = distinct_key(number);
    const LocalTable::Entry* const entry = table.find(key);
    right = right && (entry != nullptr) == (number < n);
    right = right && (entry == nullptr || entry->value == MapOperations::value_of(key));
  }
  return {n, ns, right, {0, 0, 0}};
}

double longest_insert_us(int64_t n, int64_t capacity) {
  LocalTable table;
  if (capacity != 0) table.reserve(size_t(capacity));
  uint64_t longest = 0;
  for (int64_t k = 0; k < n; ++k) {
    const uint64_t key = distinct_key(k);
    const uint64_t start = Grappa::detail::ticks();
    table.insert({key, MapOperations::value_of(key)});
    longest = std::max(longest, Grappa::detail::ticks() - start);
  }
  GRAPPA_CHECK(int64_t(table.size()) == n) << "the table has lost keys";
  return double(longest) / Grappa::detail::ticks_per_ns() / 1000;
}

Run run_counts(int log_range, int64_t n, int partial_sums) {
  Grappa::on_all_cores([partial_sums] {
    google::SetCommandLineOption("partial_sums", std::to_string(partial_sums).c_str());
  });
  const Map map = MapOperations::Table::create(capacity_for(int64_t(1) << log_range));
  Run run = run_operations(n, [map, log_range](int64_t k) {
    map->insert_or_combine<Grappa::async>(random_key(k, log_range), uint64_t(1),
                                          std::plus<uint64_t>());
  });
  Grappa::forall(map, [](const uint64_t&, uint64_t& count) { tally.inserted += int64_t(count); });
  run.right = take_tallies().inserted == n;
  map->destroy();
  return run;
}

Run run_raw_counts(int log_range, int64_t n) {
  const int64_t keys = capacity_for(int64_t(1) << log_range) / Grappa::cores();
  Grappa::on_all_cores([keys] {
    raw_counts.reset(new LocalTable);
    raw_counts->reserve(size_t(keys));
  });
  const double ns = raw_time_ns([log_range, n] {
    const auto make = [log_range](int64_t k, uint64_t* key) {
      *key = random_key(k, log_range);
      return int(Grappa::detail::owner_of_hash(
          Grappa::detail::KeyHash<uint64_t, std::hash<uint64_t>>()(*key)));
    };
    const int64_t me = Grappa::mycore(), all = Grappa::cores();
    raw_exchange().run(n * me / all, n * (me + 1) / all, raw::to_many<uint64_t>(make), &count_keys);
  });
  Grappa::on_all_cores([] {
    for (size_t i = 0; (i = raw_counts->occupied_from(i)) != raw_counts->end(); ++i) {
      tally.inserted += int64_t(raw_counts->at(i)->value);
    }
    raw_counts.reset();
  });
  return {n, ns, take_tallies().inserted == n, {0, 0, 0}};
}

}  // namespace bench
