#include "structures/detail/element.hpp"

#include "system/base/check.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace Grappa::detail {

void* allocate_local(size_t n, size_t bytes, size_t alignment, const char* owner) {
  void* place = nullptr;
  const bool sizes_fit =
      n <= static_cast<size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / bytes;
  const int error =
      sizes_fit ? posix_memalign(&place, std::max(alignment, sizeof(void*)), n * bytes) : ENOMEM;
  GRAPPA_CHECK(error == 0) << owner << ": this core has no memory for " << n << " more elements of "
                           << bytes << " bytes: run the job with more cores, or use fewer "
                           << "elements";
  return place;
}

}  // namespace Grappa::detail
