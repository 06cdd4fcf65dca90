#include "system/parallel/reduce.hpp"

#include "system/base/check.hpp"
#include "system/global/heap.hpp"

#include <cstdint>

// The linker's names for the ends of the program: code and what lies at file scope. The program is
// not position-independent, so they are the same on every core.
extern "C" {
extern const char __executable_start;
extern const char _end;
}

namespace Grappa {
namespace detail {

void check_on_all_cores(const void* object) {
  const uintptr_t place = reinterpret_cast<uintptr_t>(object);
  const bool file_scope = place >= reinterpret_cast<uintptr_t>(&__executable_start) &&
                          place < reinterpret_cast<uintptr_t>(&_end);
  const bool symmetric = place - kHeapBase < heap().bytes_per_core();
  GRAPPA_CHECK(file_scope || symmetric)
      << "the object at " << object
      << " is this core's alone: to be collected from all cores it must be of file scope, static, "
         "or made with symmetric<T>()";
}

}  // namespace detail
}  // namespace Grappa
