#pragma once

/// The sum of the values of neighbours, for kernels that read a mirror
/// (structures/graph/mirror.hpp).

#include "apps/common/bitmap.hpp"
#include "system/base/compiler.hpp"

namespace apps {

/// Returns the sum of values[slot] over a list of neighbours. Each addition waits for the previous
/// addition to the same sum, so there are four sums. With short lists, a call that is not inlined
/// takes 7 % of an iteration of PageRank (dependencies of Debian).
template <class Real, class Slot>
GRAPPA_ALWAYS_INLINE double sum_of_neighbours(const Real* values,
                                              const SlotList<Slot>& neighbours) {
  double all[4] = {0, 0, 0, 0};
  const Slot* next = neighbours.begin();
  for (; neighbours.end() - next >= 4; next += 4) {
    for (int k = 0; k < 4; ++k) all[k] += double(values[next[k]]);
  }
  for (; next != neighbours.end(); ++next) all[0] += double(values[*next]);
  return (all[0] + all[1]) + (all[2] + all[3]);
}

}  // namespace apps
