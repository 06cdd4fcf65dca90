#pragma once

/// Sizes in bytes.

#include <cstddef>

namespace Grappa {
namespace detail {

constexpr size_t KiB = size_t{1} << 10;
constexpr size_t MiB = size_t{1} << 20;
constexpr size_t GiB = size_t{1} << 30;
constexpr size_t kCacheLineBytes = 64;

}  // namespace detail
}  // namespace Grappa
