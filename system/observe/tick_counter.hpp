#pragma once

/// A counter of time spent in an activity of the runtime, counted in ticks and reported in
/// nanoseconds.
///
/// Counting is one addition. Ticks are converted to nanoseconds only when the counter is read,
/// which avoids a rounding error for each of many short times.

#include "system/observe/clock.hpp"
#include "system/observe/metric.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class TickCounter final : public Metric {
 public:
  /// Both texts must outlive the counter. The name is dotted: module.activity_ns.
  TickCounter(const char* name, const char* meaning) : Metric(name, "ns", meaning) {}

  void operator+=(uint64_t ticks) { ticks_ += ticks; }

  uint64_t ns() const {
    return static_cast<uint64_t>(static_cast<double>(ticks_) / ticks_per_ns());
  }

  Reading read() const override { return Reading::of_number(ns(), Total::Sum); }
  void reset() override { ticks_ = 0; }

 private:
  uint64_t ticks_ = 0;
};

}  // namespace detail
}  // namespace Grappa
