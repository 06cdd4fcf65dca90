#pragma once

#include <cstddef>

#include <sys/mman.h>

namespace Grappa {

/// Makes the kernel reclaim pages now: pages passed to give_back_pages(), and pages that fit in
/// swap space. Has no effect before Linux 5.4.
inline void reclaim_pages(void* address, size_t bytes) {
#ifdef MADV_PAGEOUT
  ::madvise(address, bytes, MADV_PAGEOUT);
#else
  static_cast<void>(address), static_cast<void>(bytes);
#endif
}

}  // namespace Grappa
