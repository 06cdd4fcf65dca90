#include "system/parallel/symmetric.hpp"

#include "system/base/check.hpp"
#include "system/parallel/same_place.hpp"

namespace Grappa {
namespace detail {

void check_loop_over_cores(GlobalAddress<void> address) {
  GRAPPA_CHECK(!address.is_linear())
      << "forall over " << address
      << " is told no number of elements: that is for the address of a symmetric object, of which "
         "every core has one; of an array, pass the number of elements behind the address";
  GRAPPA_CHECK(at_same_place_everywhere(address.pointer()))
      << "forall over " << address
      << ", which is one core's alone: make the object with symmetric<T>(), or use delegate::call";
}

}  // namespace detail
}  // namespace Grappa
