#pragma once

/// Memory of one core for elements of any alignment, which plain `new` does not give in C++11.

#include <cstddef>

namespace Grappa {
namespace detail {

/// Room for `n` objects of `bytes` bytes each, not constructed; std::free gives it back. Where
/// there is none the job ends with the numbers, and with `owner`, the container that needs it.
void* allocate_local(size_t n, size_t bytes, size_t alignment, const char* owner);

}  // namespace detail
}  // namespace Grappa
