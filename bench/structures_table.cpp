#include "bench/structures_table.hpp"

#include <string>

#include <gflags/gflags.h>

namespace bench {

const InsertedKeys* inserted_keys = nullptr;

InsertedKeys::InsertedKeys(const TableLoad& load, int64_t n)
    : words_(((size_t(1) << load.log_range) + 63) / 64) {
  for (int64_t k = 0; k < n; ++k) {
    if (load.is_lookup(k)) continue;
    const uint64_t key = load.key(k);
    const uint64_t bit = uint64_t(1) << (key % 64);
    if ((words_[key / 64] & bit) == 0) ++size_;
    words_[key / 64] |= bit;
  }
}

Run run_erasures(int log_range, int64_t n, int known_keys) {
  Grappa::on_all_cores([known_keys] {
    google::SetCommandLineOption("known_keys", std::to_string(known_keys).c_str());
  });
  const auto set =
      SetOperations::Table::create(int64_t(1) << log_range, Grappa::Combining::Distributed);
  Run run = run_operations(n, [set, log_range](int64_t k) {
    const uint64_t key = random_key(k, log_range), percentage = random_choice(k, 16) * 100 >> 16;
    if (percentage == 0) {
      tally.found += set->erase(key);
    } else if (percentage < 51) {
      tally.inserted += set->insert(key);
    } else {
      set->contains(key);
    }
  });
  const Tally all = take_tallies();
  run.right = set->size() == all.inserted - all.found;
  set->destroy();
  return run;
}

}  // namespace bench
