#include "bench/structures_table.hpp"

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

}  // namespace bench
