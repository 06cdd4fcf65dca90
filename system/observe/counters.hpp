#pragma once

/// Counters: exact numbers of what the runtime did, one list per room.
///
/// A counter is a metric of the runtime's own, with a dotted name, room.what. Counting is one
/// addition. Programs define metrics of their own instead (observe/metrics.hpp).

#include "system/observe/metric.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class Counter final : public Metric {
 public:
  /// How the values of all cores make one.
  typedef Grappa::detail::Total Total;

  /// All three texts outlive the counter. `unit` is what one step of the value stands for.
  Counter(const char* name, const char* unit, const char* meaning, Total total = Total::Sum)
      : Metric(name, unit, meaning), total_(total) {}

  void operator++() { ++value_; }
  void operator+=(uint64_t n) { value_ += n; }
  uint64_t value() const { return value_; }

  /// Says how things are, not what has happened: a reset leaves it.
  void set(uint64_t value) {
    value_ = value;
    level_ = true;
  }

  /// For a maximum since the last reset.
  void raise_to(uint64_t value) {
    if (value > value_) value_ = value;
  }

  Reading read() const override { return Reading::of_number(value_, total_); }
  void reset() override {
    if (!level_) value_ = 0;
  }
  Total total() const { return total_; }

  /// The counters among all metrics.
  static Counter* first();
  Counter* next() const;

 private:
  uint64_t value_ = 0;
  Total total_;
  bool level_ = false;
};

}  // namespace detail
}  // namespace Grappa
