#pragma once

/// Names of the parts of the machine.

#include <cstdint>

namespace Grappa {

/// A process with one scheduler: its rank in the job, from 0.
typedef int16_t Core;

/// A group of cores that share physical memory, numbered from 0 in the order of their first core.
typedef int16_t Locale;

namespace detail {

/// A core is stored in 15 bits of a global address.
constexpr int kMaxCores = 1 << 15;

}  // namespace detail

}  // namespace Grappa
