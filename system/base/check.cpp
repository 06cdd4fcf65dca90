#include "system/base/check.hpp"

#include <cstdlib>
#include <ostream>

namespace Grappa::detail {

int failing_core = -1;

void refuse_count(int64_t n, const char* what) {
  GRAPPA_CHECK(false) << what << " of " << n << " elements: expected 0 or more";
  std::abort();  // not reached, but CHECK is not declared as [[noreturn]]
}

std::ostream& operator<<(std::ostream& out, CorePrefix) {
  if (failing_core >= 0) out << "[core " << failing_core << "] ";
  return out;
}

}  // namespace Grappa::detail
