#include "system/global/local_access.hpp"

#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"

namespace Grappa {
namespace {

Counter overlapped("global.local_yields", "accesses",
                   "to words of this core that yielded while the word came from memory");

}  // namespace

namespace detail {

LocalAccess the_local_access;

void LocalAccess::sample(const void* object) {
  until_sample_ = kAccessesPerSample;
  const uint64_t ticks = load_ticks(object);
  add_sample(static_cast<uint64_t>(static_cast<double>(ticks) / ticks_per_ns()));
}

void LocalAccess::overlap(const void* object) {
  // A handler would hand the rest of its buffer over, to gain next to nothing.
  if (scheduler().current() == nullptr || scheduler().in_handler()) return;
  ++overlapped;
  GRAPPA_PREFETCH(object);
  scheduler().yield_soon();
}

}  // namespace detail
}  // namespace Grappa
