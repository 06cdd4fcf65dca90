#include "system/base/check.hpp"

#include <ostream>

namespace Grappa {
namespace detail {

int failing_core = -1;

std::ostream& operator<<(std::ostream& out, CorePrefix) {
  if (failing_core >= 0) out << "[core " << failing_core << "] ";
  return out;
}

}  // namespace detail
}  // namespace Grappa
