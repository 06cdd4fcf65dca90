#pragma once

/// Runs the same body on every core.
///
/// Bodies are sent as bytes, along a tree (spread.hpp): the caller sends few messages, even with
/// many cores. Both functions: From: task. Suspends: until the bodies and the work they started
/// have ended. Messages: at most log2(cores) from each core, and 1 acknowledgement per other core.

#include "system/message/closure_check.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/spread.hpp"

namespace Grappa {

/// Runs `body()` as a task on every other core, and in the calling task on this core.
template <class F>
void on_all_cores(F body) {
  detail::check_closure(body);
  finish([&body] { detail::start_on_cores(mycore(), cores(), body); });
}

/// Runs a short `body()` in a handler on every other core, and in the calling task on this core.
template <class F>
void call_on_all_cores(F body) {
  static_assert(detail::WireSafe<F>::value, "");
  detail::check_closure(body);
  finish([&body]() noexcept {
    detail::spread(cores(), body);
    body();
  });
}

}  // namespace Grappa
