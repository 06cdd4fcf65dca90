#pragma once

/// The value of a metric at one moment, apart from the metric.
///
/// What a report needs of any metric whatever its type: a reading travels as bytes, becomes one
/// with those of other cores, and can be printed. Two that are merged are of one metric, hence of
/// one kind.

#include "system/observe/histogram.hpp"
#include "system/observe/summary.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace Grappa {
namespace detail {

/// How the numbers of all cores make one.
enum class Total : uint8_t { Sum, Max };

struct Reading {
  enum class Kind : uint8_t { Signed, Unsigned, Real, Summary, Histogram, Text };

  Kind kind = Kind::Signed;
  Total total = Total::Sum;  // of the first three kinds
  int64_t as_signed = 0;
  uint64_t as_unsigned = 0;
  double as_real = 0;
  Summary summary;
  std::vector<uint64_t> buckets;  // how many samples are in each, as in Histogram
  std::string text;

  template <class T>
  static Reading of_number(T value, Total total);
  static Reading of_summary(const Summary& summary);
  static Reading of_histogram(const Histogram& histogram);
  static Reading of_text(const std::string& text);

  /// Makes this the value of both together: of numbers the sum or the maximum, of samples all of
  /// them, of texts the first that is not empty.
  void merge(const Reading& other);

  /// True if there is nothing to tell: no samples, an empty text, 0.
  bool is_zero() const;

  /// One number for a curve over time: the number itself, a mean, a count of samples; of a text,
  /// NaN.
  double number() const;

  /// As people read it, on one line.
  std::string to_text() const;

  void append_to(std::string* bytes) const;

  /// The reading that begins at `*at`, and moves `*at` behind it. Ends the job if it is cut off.
  static Reading take_from(const char** at, const char* end);
};

template <class T>
Reading Reading::of_number(T value, Total total) {
  static_assert(std::is_arithmetic<T>::value, "a metric of this type needs a type of numbers");
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

}  // namespace detail
}  // namespace Grappa
