#pragma once

/// The time of the computation of a kernel in a simulation (docs/simulation.md). Each kernel states
/// the time of its steps on a current processor. The simulation adds the time of the runtime.

#include "system/observe/clock.hpp"

#include <cstdint>

namespace apps {

/// Adds the time of `n` steps of `ns` nanoseconds. Outside a simulation, has no effect.
inline void charge(int64_t n, double ns) {
  Grappa::charge_ns(static_cast<uint64_t>(static_cast<double>(n) * ns));
}

}  // namespace apps
