#pragma once

/// Time that the runtime has spent on something: counted in ticks, told in nanoseconds.
///
/// Counting is one addition; the multiplication that makes nanoseconds of ticks, and would round
/// each of a million short times, is left to whoever reads.

#include "system/observe/clock.hpp"
#include "system/observe/metric.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class TickCounter final : public Metric {
 public:
  /// Both texts outlive the counter; the name is dotted, room.what_ns.
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
