#pragma once

/// Counters by name, for tests of what the runtime says it did.

#include "system/base/check.hpp"
#include "system/observe/counters.hpp"

#include <cstdint>
#include <cstring>

namespace Grappa {

/// This core's value of a counter.
inline uint64_t counted(const char* name) {
  for (const detail::Counter* counter = detail::Counter::first(); counter != nullptr;
       counter = counter->next()) {
    if (std::strcmp(counter->name(), name) == 0) return counter->value();
  }
  GRAPPA_CHECK(false) << "no counter " << name;
  return 0;
}

/// What a counter has gained since this object was made.
class Gain {
 public:
  explicit Gain(const char* name) : name_(name), before_(counted(name)) {}
  uint64_t value() const { return counted(name_) - before_; }

 private:
  const char* name_;
  uint64_t before_;
};

}  // namespace Grappa
