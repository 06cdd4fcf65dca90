#include "system/net/topology.hpp"

#include "system/base/check.hpp"

#include <cstdlib>

namespace Grappa {

void detail::refuse_core(int64_t core) {
  GRAPPA_CHECK(false) << "core " << core << " of a job of " << topology().cores
                      << " cores: cores are numbered from 0 to " << topology().cores - 1;
  std::abort();  // not reached; CHECK does not say so
}

}  // namespace Grappa
