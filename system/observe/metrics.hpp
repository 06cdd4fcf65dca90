#pragma once

/// Metrics of a program, by type.
///
///     GRAPPA_DEFINE_METRIC(SimpleMetric<int64_t>, cells_visited, 0);
///     GRAPPA_DEFINE_METRIC(SummarizingMetric<double>, lookup_time, 0, "s", "of a lookup");
///
/// At file scope; then `cells_visited++`, `lookup_time += seconds` on whatever core a task runs.
/// Each core has its own value. --report_json and the functions of runtime/report.hpp put them
/// together, as each type says. Plain code of one core: no atomics, nothing suspends, nothing is
/// sent. Which of `=`, `+=` and `++` a type has, and what they mean, is below.

#include "system/observe/metric.hpp"

#include <cstdint>
#include <string>
#include <type_traits>

namespace Grappa {

/// A number that the program sets and changes. All cores: the sum.
template <class T>
class SimpleMetric final : public detail::Metric {
  static_assert(std::is_arithmetic<T>::value,
                "a SimpleMetric is of numbers: SimpleMetric<int64_t>, SimpleMetric<double>");

 public:
  SimpleMetric(const char* name, T initial, const char* unit = "", const char* meaning = "")
      : detail::Metric(name, unit, meaning), initial_(initial), value_(initial) {}

  T value() const { return value_; }
  operator T() const { return value_; }

  SimpleMetric& operator=(T value) {
    value_ = value;
    return *this;
  }
  SimpleMetric& operator+=(T change) { return *this = static_cast<T>(value_ + change); }
  SimpleMetric& operator-=(T change) { return *this = static_cast<T>(value_ - change); }
  SimpleMetric& operator++() { return *this += 1; }
  SimpleMetric& operator--() { return *this -= 1; }
  T operator++(int) {
    const T before = value_;
    ++*this;
    return before;
  }
  T operator--(int) {
    const T before = value_;
    --*this;
    return before;
  }

  detail::Reading read() const override {
    return detail::Reading::of_number(value_, detail::Total::Sum);
  }
  void reset() override { value_ = initial_; }

 private:
  const T initial_;
  T value_;
};

/// The largest number that it was given, by `=`, `+=` or add(); `++` gives a 1. All cores: the
/// maximum.
template <class T>
class MaxMetric final : public detail::Metric {
  static_assert(std::is_arithmetic<T>::value,
                "a MaxMetric is of numbers: MaxMetric<int64_t>, MaxMetric<double>");

 public:
  MaxMetric(const char* name, T initial, const char* unit = "", const char* meaning = "")
      : detail::Metric(name, unit, meaning), initial_(initial), value_(initial) {}

  T value() const { return value_; }
  operator T() const { return value_; }

  void add(T value) {
    if (value > value_) value_ = value;
  }
  MaxMetric& operator=(T value) {
    add(value);
    return *this;
  }
  MaxMetric& operator+=(T value) { return *this = value; }
  MaxMetric& operator++() { return *this = 1; }
  void operator++(int) { ++*this; }

  detail::Reading read() const override {
    return detail::Reading::of_number(value_, detail::Total::Max);
  }
  void reset() override { value_ = initial_; }

 private:
  const T initial_;
  T value_;
};

/// Samples, each given by `=`, `+=`, `-=` or add(); `++` gives a 1. All cores: all samples.
template <class T>
class SummarizingMetric final : public detail::Metric {
  static_assert(std::is_arithmetic<T>::value,
                "a SummarizingMetric is of numbers: SummarizingMetric<double>");

 public:
  SummarizingMetric(const char* name, T initial, const char* unit = "", const char* meaning = "")
      : detail::Metric(name, unit, meaning), initial_(initial), value_(initial) {}

  /// The running sum: what the metric was defined with, or was last set to by `=`, and what `+=`,
  /// `-=` and `++` have added since.
  T value() const { return value_; }
  operator T() const { return value_; }

  const detail::Summary& summary() const { return summary_; }
  int64_t count() const { return summary_.count(); }
  double mean() const { return summary_.mean(); }
  double stddev() const { return summary_.stddev(); }
  double sum() const { return summary_.sum(); }
  T min() const { return static_cast<T>(summary_.min()); }
  T max() const { return static_cast<T>(summary_.max()); }

  void add(T sample) { *this += sample; }
  SummarizingMetric& operator=(T sample) {
    note(sample, sample);
    return *this;
  }
  SummarizingMetric& operator+=(T sample) { return note(sample, static_cast<T>(value_ + sample)); }
  SummarizingMetric& operator-=(T sample) { return note(sample, static_cast<T>(value_ - sample)); }
  SummarizingMetric& operator++() { return *this += 1; }
  void operator++(int) { ++*this; }

  detail::Reading read() const override { return detail::Reading::of_summary(summary_); }
  void reset() override {
    summary_ = detail::Summary();
    value_ = initial_;
  }

 private:
  SummarizingMetric& note(T sample, T value) {
    value_ = value;
    summary_.add(static_cast<double>(sample));
    return *this;
  }

  const T initial_;
  T value_;
  detail::Summary summary_;
};

/// Samples by size, each given by `=`, `+=` or add(); `++` gives a 1. Buckets are powers of two
/// (observe/histogram.hpp). All cores: all samples.
class HistogramMetric final : public detail::Metric {
 public:
  HistogramMetric(const char* name, int64_t initial, const char* unit = "",
                  const char* meaning = "")
      : detail::Metric(name, unit, meaning), initial_(initial), last_(initial) {}

  /// The last sample; before the first, what the metric was defined with.
  int64_t value() const { return last_; }
  operator int64_t() const { return last_; }
  const Histogram& histogram() const { return histogram_; }

  void add(int64_t sample) {
    last_ = sample;
    histogram_.add(sample);
  }
  void set(int64_t sample) { add(sample); }  // old name
  HistogramMetric& operator=(int64_t sample) {
    add(sample);
    return *this;
  }
  HistogramMetric& operator+=(int64_t sample) { return *this = sample; }
  HistogramMetric& operator++() { return *this = 1; }
  void operator++(int) { ++*this; }

  detail::Reading read() const override { return detail::Reading::of_histogram(histogram_); }
  void reset() override {
    histogram_ = Histogram();
    last_ = initial_;
  }

 private:
  const int64_t initial_;
  int64_t last_;
  Histogram histogram_;
};

/// A text: a version, a file, a mode; `+=` appends. All cores: the first core's that is not empty.
class StringMetric final : public detail::Metric {
 public:
  StringMetric(const char* name, const std::string& initial, const char* unit = "",
               const char* meaning = "")
      : detail::Metric(name, unit, meaning), initial_(initial), value_(initial) {}

  const std::string& value() const { return value_; }
  operator const std::string&() const { return value_; }

  StringMetric& operator=(const std::string& value) {
    value_ = value;
    return *this;
  }
  StringMetric& operator+=(const std::string& more) {
    value_ += more;
    return *this;
  }

  detail::Reading read() const override { return detail::Reading::of_text(value_); }
  void reset() override { value_ = initial_; }

 private:
  const std::string initial_;
  std::string value_;
};

/// A number that is asked for whenever somebody wants to know: in reports and, while a trace is
/// recorded, often. A reset leaves it. The function must not suspend. All cores: the sum.
template <class T>
class CallbackMetric final : public detail::Metric {
 public:
  typedef T (*Callback)();

  CallbackMetric(const char* name, Callback callback, const char* unit = "",
                 const char* meaning = "")
      : detail::Metric(name, unit, meaning), callback_(callback) {}

  T value() const { return callback_(); }
  operator T() const { return callback_(); }

  detail::Reading read() const override {
    return detail::Reading::of_number(callback_(), detail::Total::Sum);
  }
  void reset() override {}

 private:
  const Callback callback_;
};

namespace detail {
/// Where the macros look for a type, so that programs may say SimpleMetric<int> or
/// Grappa::SimpleMetric<int>, in whatever namespace they are.
namespace metric_types {
using namespace ::Grappa;  // NOLINT: the one purpose of this namespace
namespace Grappa = ::Grappa;
}  // namespace metric_types
}  // namespace detail

}  // namespace Grappa

/// Defines the metric `name`, at file scope: GRAPPA_DEFINE_METRIC(type, name, initial), or with
/// what reports say of it: GRAPPA_DEFINE_METRIC(type, name, initial, "unit", "meaning"). No two
/// metrics of a program have one name.
#define GRAPPA_DEFINE_METRIC(type, name, ...) \
  ::Grappa::detail::metric_types::type name(#name, __VA_ARGS__)

/// Declares a metric that another file defines.
#define GRAPPA_DECLARE_METRIC(type, name) extern ::Grappa::detail::metric_types::type name
