#include "system/net/topology.hpp"

#include "system/base/check.hpp"

#include <cstdlib>

namespace Grappa {

void detail::refuse_core(int64_t core) {
  GRAPPA_CHECK(false) << "invalid core " << core << ", the job has " << topology().cores
                      << " cores: use a number from 0 to " << topology().cores - 1;
  std::abort();  // not reached, but CHECK is not [[noreturn]]
}

}  // namespace Grappa
