#pragma once

/// Sizes in bytes, and integer arithmetic on powers of two.

#include <cstddef>
#include <cstdint>

namespace Grappa { namespace detail {

constexpr size_t KiB = size_t{1} << 10;
constexpr size_t MiB = size_t{1} << 20;
constexpr size_t GiB = size_t{1} << 30;
constexpr size_t kCacheLineBytes = 64;

constexpr bool is_power_of_two(uint64_t x) { return x != 0 && (x & (x - 1)) == 0; }

/// Returns the smallest multiple of `alignment`, a power of two, that is at least `x`.
constexpr uint64_t align_up(uint64_t x, uint64_t alignment) {
  return (x + alignment - 1) & ~(alignment - 1);
}

constexpr uint64_t div_up(uint64_t x, uint64_t divisor) { return (x + divisor - 1) / divisor; }

/// The exponent of the largest power of two that is at most `x`, which must not be 0.
inline int floor_log2(uint64_t x) { return 63 - __builtin_clzll(x); }

/// Returns the smallest power of two that is at least `x`.
inline uint64_t next_power_of_two(uint64_t x) {
  return x <= 1 ? 1 : uint64_t{2} << floor_log2(x - 1);
}

}}  // namespace Grappa::detail
