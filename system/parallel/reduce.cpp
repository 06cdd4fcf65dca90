#include "system/parallel/reduce.hpp"

#include "system/base/check.hpp"
#include "system/parallel/same_address.hpp"

namespace Grappa {
namespace detail {

void check_on_all_cores(const void* object) {
  GRAPPA_CHECK(at_same_address_everywhere(object))
      << "the object at " << object
      << " exists on this core only: an operation on all cores needs a file-scope object, a static "
         "object, or one made with symmetric<T>()";
}

}  // namespace detail
}  // namespace Grappa
