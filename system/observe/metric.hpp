#pragma once

/// What can be observed about a program: the registry of all counters and metrics.
///
/// A metric is an object of file scope. It registers itself, so that a report lists all without
/// knowing any, and the registry is the same on every core, since all run one binary. Values are
/// this core's; runtime/report puts those of all cores together. A metric is never destroyed before
/// the process ends, and so never leaves the registry.

#include "system/observe/reading.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class Metric {
 public:
  Metric(const Metric&) = delete;
  Metric& operator=(const Metric&) = delete;

  const char* name() const { return name_; }
  const char* unit() const { return unit_; }        // of one step of the value; may be empty
  const char* meaning() const { return meaning_; }  // may be empty

  virtual Reading read() const = 0;

  /// Begins anew, with what the metric was defined with.
  virtual void reset() = 0;

  /// The list of all metrics of the program, counters included, the newest first.
  static Metric* first();
  Metric* next() const { return next_; }

 protected:
  /// All three texts outlive the metric.
  Metric(const char* name, const char* unit, const char* meaning);
  ~Metric() = default;

 private:
  const char* name_;
  const char* unit_;
  const char* meaning_;
  Metric* next_;
};

/// Resets all metrics of this core.
void reset_metrics();

/// How often that has happened.
uint64_t metric_resets();

}  // namespace detail
}  // namespace Grappa
