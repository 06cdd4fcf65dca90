#include "structures/detail/hash_table.hpp"

#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/reduce.hpp"

namespace Grappa {
namespace detail {

// The sum of `done` is computed before the sum of `started`. So the two sums are equal only if, at
// some moment between them, no operation was in progress (F. Mattern, "Algorithms for distributed
// termination detection", Distributed Computing 2, 1987).
void wait_for_async(const AsyncCount* count) {
  for (;;) {
    const uint64_t done = sum_all_cores([count] { return count->done; });
    if (sum_all_cores([count] { return count->started; }) == done) return;
    yield();
  }
}

}  // namespace detail
}  // namespace Grappa
