#pragma once

/// Counters: exact numbers of what the runtime did, one list per room.
///
/// A counter is a file-scope object of its room; it registers itself, so that a report lists all
/// without knowing any. Counting is one addition. Values are this core's; runtime/report puts
/// those of all cores together.

#include <cstdint>

namespace Grappa {

class Counter {
 public:
  /// How the values of all cores make one.
  enum class Total { Sum, Max };

  /// All three texts outlive the counter. `unit` is what one step of the value stands for.
  Counter(const char* name, const char* unit, const char* meaning, Total total = Total::Sum);

  void operator++() { ++value_; }
  void operator+=(uint64_t n) { value_ += n; }
  uint64_t value() const { return value_; }
  void set(uint64_t value) { value_ = value; }
  void reset() { value_ = 0; }

  const char* name() const { return name_; }
  const char* unit() const { return unit_; }
  const char* meaning() const { return meaning_; }
  Total total() const { return total_; }

  /// The list of all counters of the program, the same on every core.
  static Counter* first();
  Counter* next() const { return next_; }

 private:
  uint64_t value_ = 0;
  const char* name_;
  const char* unit_;
  const char* meaning_;
  Total total_;
  Counter* next_;
};

}  // namespace Grappa
