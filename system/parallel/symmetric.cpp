#include "system/parallel/symmetric.hpp"

#include "system/base/check.hpp"

#include <cstdint>

// The linker's names for the ends of the program: code and what lies at file scope. The program is
// not position-independent, so they are the same on every core.
extern "C" {
extern const char __executable_start;
extern const char _end;
}

namespace Grappa {
namespace detail {

bool is_on_all_cores(const void* object) {
  const uintptr_t place = reinterpret_cast<uintptr_t>(object);
  const bool file_scope = place >= reinterpret_cast<uintptr_t>(&__executable_start) &&
                          place < reinterpret_cast<uintptr_t>(&_end);
  return file_scope || place - kHeapBase < heap().bytes_per_core();
}

void check_loop_over_cores(GlobalAddress<void> address) {
  GRAPPA_CHECK(!address.is_linear())
      << "forall over " << address
      << " is told no number of elements: that is for the address of a symmetric object, of which "
         "every core has one; of an array, pass the number of elements behind the address";
  GRAPPA_CHECK(is_on_all_cores(address.pointer()))
      << "forall over " << address
      << ", which is one core's alone: make the object with symmetric<T>(), or use delegate::call";
}

}  // namespace detail
}  // namespace Grappa
