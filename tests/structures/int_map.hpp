#pragma once

/// A map of integers, for tests.

#include "structures/global_map.hpp"

#include <cstdint>

namespace Grappa {

typedef GlobalMap<int64_t, int64_t> IntMap;

/// Returns -1 if the key is not present.
inline int64_t value_of(GlobalAddress<IntMap> map, int64_t key) {
  int64_t value = -1;
  return map->lookup(key, &value) ? value : -1;
}

}  // namespace Grappa
