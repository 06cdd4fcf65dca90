#pragma once

/// Counters: exact numbers of what the runtime did, one list per room.
///
/// A counter is a file-scope object of its room; it registers itself, so that a report lists all
/// without knowing any. Counting is one addition. Values are this core's; runtime/report adds them
/// up.

#include <cstdint>

namespace Grappa {

class Counter {
 public:
  /// All three texts outlive the counter. `unit` is what one step of the value stands for.
  Counter(const char* name, const char* unit, const char* meaning);

  void operator++() { ++value_; }
  void operator+=(uint64_t n) { value_ += n; }
  uint64_t value() const { return value_; }
  void reset() { value_ = 0; }

  const char* name() const { return name_; }
  const char* unit() const { return unit_; }
  const char* meaning() const { return meaning_; }

  /// The list of all counters of the program, the same on every core.
  static Counter* first();
  Counter* next() const { return next_; }

 private:
  uint64_t value_ = 0;
  const char* name_;
  const char* unit_;
  const char* meaning_;
  Counter* next_;
};

}  // namespace Grappa
