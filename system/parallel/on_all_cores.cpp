#include "system/parallel/on_all_cores.hpp"

#include "system/base/check.hpp"
#include "system/base/fixed_address.hpp"
#include "system/global/heap.hpp"
#include "system/message/append.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace Grappa::detail {

void send_start(Core dest) {
  const Scheduler& mine = scheduler();
  const int64_t tasks = mine.live_tasks() + static_cast<int64_t>(mine.queued_tasks());
  if (requests_are_due(1, tasks)) flush_to(dest, FlushCause::Asked);
}

bool at_same_address_everywhere(const void* object) {
  static const auto* const files = new std::vector<FixedFile>(fixed_files());
  return reinterpret_cast<uintptr_t>(object) - kHeapBase < heap().bytes_per_core() ||
         std::any_of(files->begin(), files->end(),
                     [object](const FixedFile& file) { return file.contains(object); });
}

void check_on_all_cores(const void* object) {
  GRAPPA_CHECK(at_same_address_everywhere(object))
      << "the object at " << object
      << " exists on this core only: an operation on all cores needs a file-scope object, a static "
         "object, or one made with symmetric<T>()";
}

void check_loop_over_cores(GlobalAddress<void> address) {
  GRAPPA_CHECK(!address.is_linear())
      << "forall over " << address
      << " has no number of elements: this form is for a symmetric object, which every core has; "
         "for an array, pass the number of elements after the address";
  GRAPPA_CHECK(at_same_address_everywhere(address.pointer()))
      << "forall over " << address
      << ", an object of one core only: make it with symmetric<T>(), or use delegate::call";
}

}  // namespace Grappa::detail
