#pragma once

/// The registry of all counters and metrics of a program.
///
/// A metric is a file-scope object. Its constructor adds it to the registry, which reports iterate
/// over. The registry is the same on every core, because all cores run the same binary. A metric
/// holds the value of its own core; report/report merges the values of all cores. A metric lives
/// until the process ends, so it is never removed from the registry.

#include "system/observe/reading.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class Metric {
 public:
  Metric(const Metric&) = delete;
  Metric& operator=(const Metric&) = delete;

  const char* name() const { return name_; }
  const char* unit() const { return unit_; }        // may be empty
  const char* meaning() const { return meaning_; }  // may be empty

  virtual Reading read() const = 0;

  virtual void reset() = 0;

  /// Iterates over all metrics of the program, including counters. The latest metric is first.
  static Metric* first();
  Metric* next() const { return next_; }

 protected:
  /// All three texts must outlive the metric.
  Metric(const char* name, const char* unit, const char* meaning);
  ~Metric() = default;

 private:
  const char* name_;
  const char* unit_;
  const char* meaning_;
  Metric* next_;
};

void reset_metrics();

uint64_t metric_resets();

}  // namespace detail
}  // namespace Grappa
