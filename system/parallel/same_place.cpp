#include "system/parallel/same_place.hpp"

#include "system/global/heap.hpp"

#include <cstdint>

// The linker's names for the ends of the program: code and what lies at file scope.
extern "C" {
extern const char __executable_start;
extern const char _end;
}

namespace Grappa {
namespace detail {

bool at_same_place_everywhere(const void* object) {
  const uintptr_t place = reinterpret_cast<uintptr_t>(object);
  const bool file_scope = place >= reinterpret_cast<uintptr_t>(&__executable_start) &&
                          place < reinterpret_cast<uintptr_t>(&_end);
  return file_scope || place - kHeapBase < heap().bytes_per_core();
}

}  // namespace detail
}  // namespace Grappa
