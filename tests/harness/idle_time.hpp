#pragma once

/// A core whose virtual clock advances while the core is idle. Sleeping tasks then wake up, and
/// timeouts of the scheduler expire.

#include "system/observe/clock.hpp"
#include "system/tasking/poller.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

struct IdleTime {
  VirtualClock* clock;
  uint64_t ns_of_round;
};

inline IdleTime& idle_time() {
  static IdleTime of_core;
  return of_core;
}

}  // namespace detail

/// Returns scheduler hooks that advance `clock` by `ns_of_round` in each round of an idle core.
inline detail::SchedulerHooks hooks_that_let_time_pass(detail::VirtualClock* clock,
                                                       uint64_t ns_of_round) {
  detail::idle_time() = detail::IdleTime{clock, ns_of_round};
  detail::SchedulerHooks hooks;
  hooks.flush = [] {
    detail::idle_time().clock->advance_ns(detail::idle_time().ns_of_round);
    return false;
  };
  return hooks;
}

}  // namespace Grappa
