#pragma once

/// Runs iterations that idle cores may steal.
///
/// A task halves its range repeatedly. Each upper half becomes a stealable task, until the rest is
/// a single chunk, which runs at once. So a core processes its range from the beginning, and queues
/// at most one task per doubling of the range. A thief takes the oldest tasks and so gets the
/// largest ranges. (R. Blumofe and C. Leiserson, "Scheduling Multithreaded Computations by Work
/// Stealing", Journal of the ACM 46(5), 1999, shows why few tasks move.) Each task has a copy of
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

  /// Runs the iterations in the calling task and in tasks that it starts in the current scope. Some
  /// iterations may still run on return. An exception that leaves an iteration aborts the job.
  /// Suspends: if the body does.
  void operator()() noexcept {
    while (count > chunk) {
      const int64_t chunks = count / chunk + (count % chunk != 0 ? 1 : 0);
      const int64_t lower = (chunks - chunks / 2) * chunk;
      StealableBody<SplitLoop>::start(SplitLoop{body, first + lower, count - lower, chunk});
      count = lower;
    }
    if (count > 0) Form::run(body, first, count);
  }
};

}  // namespace detail
}  // namespace Grappa
