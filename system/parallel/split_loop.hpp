#pragma once

/// Iterations that any core may run.
///
/// A range is split in halves, of which the upper one becomes a public task, until what is left is
/// one chunk, which is run at once. So a core goes through its range from the beginning on, with no
/// more tasks queued than there are doublings, and a thief, who takes the oldest tasks, gets the
/// largest ranges. (R. Blumofe and C. Leiserson, "Scheduling Multithreaded Computations by Work
/// Stealing", Journal of the ACM 46(5), 1999, for why that moves little.) Each task has a copy of
/// the body.

#include "system/base/traits.hpp"
#include "system/parallel/steal.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// Form::run(F& body, first, count) runs iterations.
template <class Form, class F>
struct SplitLoop {
  F body;
  int64_t first;
  int64_t count;
  int64_t chunk;

  /// Runs the iterations in the calling task and in tasks that it starts in the current scope; some
  /// may still be running when it returns. An exception that leaves an iteration aborts the job.
  /// Suspends: if the body does.
  void operator()() noexcept {
    while (count > chunk) {
      const int64_t chunks = count / chunk + (count % chunk != 0 ? 1 : 0);
      const int64_t lower = (chunks - chunks / 2) * chunk;
      PublicBody<SplitLoop>::start(SplitLoop{body, first + lower, count - lower, chunk});
      count = lower;
    }
    if (count > 0) Form::run(body, first, count);
  }
};

}  // namespace detail
}  // namespace Grappa
