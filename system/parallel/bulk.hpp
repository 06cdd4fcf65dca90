#pragma once

/// Operations on whole global arrays.

#include "system/parallel/forall.hpp"

#include <cstdint>

namespace Grappa {

/// Sets `n` elements from `base` on to `value`.
/// From: task. Suspends: until all are set. Messages: about 2 for each other core.
template <class T, class U>
void memset(GlobalAddress<T> base, U value, int64_t n) {
  const T converted = static_cast<T>(value);
  forall(base, n, [converted](T& element) { element = converted; });
}

}  // namespace Grappa
