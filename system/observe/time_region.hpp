#pragma once

/// GRAPPA_TIME_REGION(metric) { ... } adds to a metric the seconds that the block takes.
///
/// Whatever way the block is left: `break` and `continue` leave the block, not a loop around it. It
/// is time of the wall: if the task suspends inside, others run meanwhile, and their time counts.

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
      "GRAPPA_TIME_REGION adds seconds, and an integer would lose their fractions: give it "
      "a metric of double");

 public:
  explicit TimedRegion(M& metric) : metric_(metric), start_(walltime()) {}
  ~TimedRegion() { metric_ += static_cast<Value>(walltime() - start_); }
  TimedRegion(const TimedRegion&) = delete;
  TimedRegion& operator=(const TimedRegion&) = delete;

  /// True the first time.
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
