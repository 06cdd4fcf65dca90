#pragma once

/// GRAPPA_TIME_REGION(metric) { ... } adds the wall-clock seconds of the block to a metric.
///
/// The time is added on every exit from the block. `break` and `continue` leave the block, not an
/// enclosing loop. If the task suspends inside the block, the time of other tasks is included.

#include "system/observe/clock.hpp"

#include <type_traits>
#include <utility>

namespace Grappa {
namespace detail {

template <class M>
class TimedRegion {
  typedef typename std::decay<decltype(std::declval<M&>().value())>::type Value;
  static_assert(
      std::is_floating_point<Value>::value,
      "GRAPPA_TIME_REGION adds fractions of seconds, which an integer metric would lose: use "
      "a metric of type double");

 public:
  explicit TimedRegion(M& metric) : metric_(metric), start_(walltime()) {}
  ~TimedRegion() { metric_ += static_cast<Value>(walltime() - start_); }
  TimedRegion(const TimedRegion&) = delete;
  TimedRegion& operator=(const TimedRegion&) = delete;

  /// Returns true at the first call only.
  bool enter() {
    const bool first = !entered_;
    entered_ = true;
    return first;
  }

 private:
  M& metric_;
  const double start_;
  bool entered_ = false;
};

}  // namespace detail
}  // namespace Grappa

#define GRAPPA_TIME_REGION_JOINED(name, line) name##line
#define GRAPPA_TIME_REGION_NAME(name, line) GRAPPA_TIME_REGION_JOINED(name, line)

#define GRAPPA_TIME_REGION(metric)                                                  \
  for (::Grappa::detail::TimedRegion<std::remove_reference<decltype(metric)>::type> \
           GRAPPA_TIME_REGION_NAME(grappa_timed_region_, __LINE__)(metric);         \
       GRAPPA_TIME_REGION_NAME(grappa_timed_region_, __LINE__).enter();)
