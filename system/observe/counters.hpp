#pragma once

/// Counters: exact event counts of the runtime, grouped by module.
///
/// A counter is a metric defined by the runtime, with a dotted name, module.event. Counting is one
/// addition. Programs define other types of metrics (observe/metrics.hpp).

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
  Total total() const { return total_; }

  /// Iterates over the counters in the list of all metrics.
  static Counter* first();
  Counter* next() const;

 private:
  uint64_t value_ = 0;
  Total total_;
  bool level_ = false;
};

}  // namespace detail
}  // namespace Grappa
