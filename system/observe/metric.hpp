#pragma once

/// The registry of all counters and metrics of a program, and their values.
///
/// A metric is a file-scope object. Its constructor adds it to the registry, which reports iterate
/// over. The registry is the same on every core, because all cores run the same binary. A metric
/// holds the value of its own core; report/report merges the values of all cores. A metric lives
/// until the process ends, so it is never removed from the registry.

#include "system/observe/samples.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace Grappa {
namespace detail {

/// How the numbers of all cores are combined.
enum class Total : uint8_t { Sum, Max };

/// The value of a metric at one moment.
///
/// A reading provides what a report needs, independent of the type of the metric: it is serialized
/// to bytes, merged with the readings of other cores, and printed. Two merged readings must be of
/// the same metric, and thus of the same kind.
struct Reading {
  enum class Kind : uint8_t { Signed, Unsigned, Real, Summary, Histogram, Text };

  Kind kind = Kind::Signed;
  Total total = Total::Sum;  // used by Signed, Unsigned and Real
  int64_t as_signed = 0;
  uint64_t as_unsigned = 0;
  double as_real = 0;
  Summary summary;
  std::vector<uint64_t> buckets;  // the counts of a Histogram
  std::string text;

  template <class T>
  static Reading of_number(T value, Total total);
  static Reading of_summary(const Summary& summary);
  static Reading of_histogram(const Histogram& histogram);
  static Reading of_text(const std::string& text);

  /// Merges `other` into this reading: numbers are added or maximized, samples are combined, and an
  /// empty text is replaced.
  void merge(const Reading& other);

  /// Returns true if the value is 0, an empty text, or a summary or histogram without samples.
  bool is_zero() const;

  /// Returns one number for a plot over time: the number itself, the mean of a summary, the sample
  /// count of a histogram, or NaN for a text.
  double number() const;

  /// Returns the value as readable text on one line.
  std::string to_text() const;

  void append_to(std::string* bytes) const;

  /// Parses the reading at `*at` and advances `*at` past it. Aborts the job if the bytes are
  /// truncated.
  static Reading take_from(const char** at, const char* end);
};

template <class T>
Reading Reading::of_number(T value, Total total) {
  static_assert(std::is_arithmetic<T>::value, "this metric requires an arithmetic type");
  Reading reading;
  reading.total = total;
  if (std::is_floating_point<T>::value) {
    reading.kind = Kind::Real;
    reading.as_real = static_cast<double>(value);
  } else if (std::is_signed<T>::value) {
    reading.as_signed = static_cast<int64_t>(value);
  } else {
    reading.kind = Kind::Unsigned;
    reading.as_unsigned = static_cast<uint64_t>(value);
  }
  return reading;
}

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
