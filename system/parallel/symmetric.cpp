#include "system/parallel/symmetric.hpp"

#include "system/base/check.hpp"
#include "system/parallel/same_address.hpp"

namespace Grappa {
namespace detail {

void check_loop_over_cores(GlobalAddress<void> address) {
  GRAPPA_CHECK(!address.is_linear())
      << "forall over " << address
      << " has no number of elements: this form is for a symmetric object, which every core has; "
         "for an array, pass the number of elements after the address";
  GRAPPA_CHECK(at_same_address_everywhere(address.pointer()))
      << "forall over " << address
      << ", an object of one core only: make it with symmetric<T>(), or use delegate::call";
}

}  // namespace detail
}  // namespace Grappa
