#pragma once

/// The identifiers of cores and locales, and the mode of calls.

#include <cstdint>

namespace Grappa {

/// A process with one scheduler: its rank in the job, from 0.
typedef int16_t Core;

/// A group of cores that share physical memory, numbered from 0 in the order of their first core.
typedef int16_t Locale;

/// Blocking: the call returns when its effect is visible. Async: the call returns at once.
enum class SyncMode { Blocking, Async };
constexpr SyncMode blocking = SyncMode::Blocking;
constexpr SyncMode async = SyncMode::Async;

namespace detail {

constexpr int kMaxCores = 1 << 15;  // a global address stores the core in 15 bits

}  // namespace detail
}  // namespace Grappa
