#pragma once

/// Keys of global sets and maps that belong to other cores, so that their operations are combined.

#include "structures/detail/owner_table.hpp"

#include <cstdint>
#include <functional>

namespace Grappa {

inline size_t hash_of_key(int64_t key) {
  return detail::KeyHash<int64_t, std::hash<int64_t>>()(key);
}

inline Core owner_of_key(int64_t key) { return detail::owner_of_hash(hash_of_key(key)); }

inline bool is_remote_key(int64_t key) { return owner_of_key(key) != mycore(); }

/// Returns the smallest key from `first` on that belongs to another core. Needs several cores.
inline int64_t remote_key(int64_t first = 0) {
  while (!is_remote_key(first)) ++first;
  return first;
}

}  // namespace Grappa
