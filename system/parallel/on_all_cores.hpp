#pragma once

/// The same on every core.
///
/// Bodies travel as bytes, along a tree (spread.hpp), so that also on many cores the caller sends
/// few messages. Both: From: task. Suspends: until all that the bodies have started has ended too.
/// Messages: log2(cores) of each core at most, and one acknowledgement for each other core.

#include "system/message/closure_check.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/spread.hpp"

namespace Grappa {

/// Runs `body()` as a task on every core, in the calling task on this one.
template <class F>
void on_all_cores(F body) {
  detail::check_closure(body);
  finish([&body] { detail::start_on_cores(mycore(), cores(), body); });
}

/// Runs `body()` in a handler on every core, in the calling task on this one: for what is short.
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
