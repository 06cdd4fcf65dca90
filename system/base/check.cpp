#include "system/base/check.hpp"

#include <cstdlib>
#include <ostream>

namespace Grappa {
namespace detail {

int failing_core = -1;

void refuse_count(int64_t n, const char* what) {
  GRAPPA_CHECK(false) << what << " of " << n << " elements: a count is 0 or more";
  std::abort();  // not reached; CHECK does not say so
}

std::ostream& operator<<(std::ostream& out, CorePrefix) {
  if (failing_core >= 0) out << "[core " << failing_core << "] ";
  return out;
}

}  // namespace detail
}  // namespace Grappa
