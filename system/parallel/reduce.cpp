#include "system/parallel/reduce.hpp"

#include "system/base/check.hpp"
#include "system/parallel/symmetric.hpp"

namespace Grappa {
namespace detail {

void check_on_all_cores(const void* object) {
  GRAPPA_CHECK(is_on_all_cores(object))
      << "the object at " << object
      << " is this core's alone: to be collected from all cores it must be of file scope, static, "
         "or made with symmetric<T>()";
}

}  // namespace detail
}  // namespace Grappa
