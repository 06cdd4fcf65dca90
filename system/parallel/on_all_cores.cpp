#include "system/parallel/on_all_cores.hpp"

#include "system/base/check.hpp"
#include "system/base/mapping.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/local_loop.hpp"
#include "system/parallel/options.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace Grappa::detail {

void flush_start(Core dest) {
  Scheduler& mine = scheduler();
  const int64_t tasks = mine.tasks().live() + static_cast<int64_t>(mine.tasks().size());
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

ParallelOptions the_parallel_options;

int64_t loop_chunk(int64_t n, int64_t threshold) {
  const int64_t asked = threshold > 0 ? threshold : parallel_options().loop_threshold;
  if (asked > 0) return asked;
  constexpr int64_t kLargestAutomaticChunk = 256;  // the iterations of a chunk run in sequence
  constexpr int64_t kTurnsPerWorker = 4;
  const int64_t turns = kTurnsPerWorker * scheduler().options().num_workers;
  return std::max<int64_t>(1, std::min(kLargestAutomaticChunk, n / turns));
}

void check_iterations(int64_t start, int64_t n) {
  GRAPPA_CHECK(n >= 0) << "invalid number of iterations " << n << ", expected 0 or more";
  GRAPPA_CHECK(start <= std::numeric_limits<int64_t>::max() - n)
      << "a loop of " << n << " iterations from " << start
      << " on: start + n must fit in an int64_t, and be no more than "
      << std::numeric_limits<int64_t>::max();
}

}  // namespace Grappa::detail
