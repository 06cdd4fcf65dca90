#pragma once

/// Counters: exact event counts of the runtime, grouped by module.
///
/// A counter is a metric defined by the runtime, with a dotted name, module.event. Counting is one
/// addition. Programs define other types of metrics (observe/metrics.hpp).

#include "system/observe/clock.hpp"
#include "system/observe/metric.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class Counter final : public Metric {
 public:
  /// How the values of all cores are combined.
  typedef Grappa::detail::Total Total;

  /// All three texts must outlive the counter. `unit` is the unit of the value.
  Counter(const char* name, const char* unit, const char* meaning, Total total = Total::Sum)
      : Metric(name, unit, meaning), total_(total) {}

  void operator++() { ++value_; }
  void operator+=(uint64_t n) { value_ += n; }
  uint64_t value() const { return value_; }

  /// Sets a current state instead of counting events. A later reset does not change the value.
  void set(uint64_t value) {
    value_ = value;
    level_ = true;
  }

  /// Raises the value to `value` if it is smaller: the counter is then a maximum since the last
  /// reset.
  void raise_to(uint64_t value) {
    if (value > value_) value_ = value;
  }

  Reading read() const override { return Reading::of_number(value_, total_); }
  void reset() override {
    if (!level_) value_ = 0;
  }

  /// Iterates over the counters in the list of all metrics.
  static Counter* first() { return from(Metric::first()); }
  Counter* next() const { return from(Metric::next()); }

 private:
  static Counter* from(Metric* metric) {
    while (metric != nullptr && dynamic_cast<Counter*>(metric) == nullptr) metric = metric->next();
    return static_cast<Counter*>(metric);
  }

  uint64_t value_ = 0;
  Total total_;
  bool level_ = false;
};

/// A counter of time spent in an activity of the runtime, counted in ticks and reported in
/// nanoseconds. Ticks are converted to nanoseconds only when the counter is read, which avoids a
/// rounding error for each of many short times.
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
