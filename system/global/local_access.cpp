#include "system/global/local_access.hpp"

#include "system/base/compiler.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/scheduler.hpp"

namespace Grappa::detail {
namespace {

Counter overlapped("global.local_yields", "accesses",
                   "to words of the own core that prefetched the word and yielded");

}  // namespace

LocalAccess the_local_access;

void LocalAccess::sample(const void* object) {
  add_sample(static_cast<uint64_t>(static_cast<double>(load_ticks(object)) / ticks_per_ns()));
  plain_left_ = slow_ ? 1 : kAccessesPerSample;
  slow_left_ = kAccessesPerSample;
}

void LocalAccess::prepare(const void* object) {
  if (!overlaps()) return sample(object);
  plain_left_ = 1;  // accesses of the tasks that run during the yield also call prepare()
  // If a handler yields, another worker must continue its message buffer, which costs too much.
  if (scheduler().current() == nullptr || scheduler().in_handler()) return;
  ++overlapped;
  GRAPPA_PREFETCH(object);
  scheduler().yield_for_prefetch();
}

}  // namespace Grappa::detail
