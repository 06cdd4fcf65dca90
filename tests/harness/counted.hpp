#pragma once

/// Access to the runtime's counters by name.

#include "system/base/check.hpp"
#include "system/observe/counters.hpp"

#include <cstdint>
#include <cstring>

namespace Grappa {

/// Returns this core's value of a counter.
inline uint64_t counted(const char* name) {
  for (const detail::Counter* counter = detail::Counter::first(); counter != nullptr;
       counter = counter->next()) {
    if (std::strcmp(counter->name(), name) == 0) return counter->value();
  }
  GRAPPA_CHECK(false) << "no counter " << name;
  return 0;
}

/// Measures the increase of a counter since the construction of the object.
class Gain {
 public:
  explicit Gain(const char* name) : name_(name), before_(counted(name)) {}
  uint64_t value() const { return counted(name_) - before_; }

 private:
  const char* name_;
  uint64_t before_;
};

}  // namespace Grappa
