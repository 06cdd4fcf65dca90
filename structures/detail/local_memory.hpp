#pragma once

/// Memory of one core for elements of any alignment, which plain `new` does not support in C++11.

#include <cstddef>

namespace Grappa {
namespace detail {

/// Allocates memory for `n` unconstructed objects of `bytes` bytes each; free it by std::free. If
/// there is no memory, the job aborts and reports the sizes and the container, `owner`.
void* allocate_local(size_t n, size_t bytes, size_t alignment, const char* owner);

}  // namespace detail
}  // namespace Grappa
