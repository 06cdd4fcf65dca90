#pragma once

/// The seed of a test with random inputs: another one in each run, but the same in each simulation.

#include "system/observe/clock.hpp"

#include <random>

inline unsigned random_seed() {
  return Grappa::detail::virtual_time != nullptr ? 1 : std::random_device()();
}
