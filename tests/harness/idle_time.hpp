#pragma once

/// A core on whose virtual clock time passes when it has nothing to do: sleepers come to their
/// ends, and what the scheduler does after a while happens.

#include "system/observe/clock.hpp"
#include "system/tasking/hooks.hpp"

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

/// So much time passes in each round of a core that has nothing to do.
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
