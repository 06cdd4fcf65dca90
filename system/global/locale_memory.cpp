#include "system/global/locale_memory.hpp"

#include "system/base/bits.hpp"

#include <algorithm>

namespace Grappa {
namespace detail {

void* allocate_locale_bytes(uint64_t count, size_t element_bytes, size_t alignment) {
  void* memory = nullptr;
  if (count <= SIZE_MAX / 2 / element_bytes) {
    const size_t bytes = std::max<size_t>(count * element_bytes, 1);
    memory = alignment <= alignof(std::max_align_t)
                 ? std::malloc(bytes)
                 : std::aligned_alloc(alignment, align_up(bytes, alignment));
  }
  GRAPPA_CHECK(memory != nullptr) << "locale_alloc of " << count << " objects of " << element_bytes
                                  << " bytes: this machine has no such memory left";
  return memory;
}

}  // namespace detail
}  // namespace Grappa
