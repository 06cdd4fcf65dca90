#pragma once

/// Metrics that programs define.
///
///     GRAPPA_DEFINE_METRIC(SimpleMetric<int64_t>, cells_visited, 0);
///     GRAPPA_DEFINE_METRIC(SummarizingMetric<double>, lookup_time, 0, "s", "of a lookup");
///
/// The definitions are at file scope. A task on any core then uses `cells_visited++` or
/// `lookup_time += seconds`. All operations change the value of the calling core, without atomics.
/// --report_json and the functions of report/report.hpp merge the values of all cores.

#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace Grappa {

namespace detail {

/// A metric that is one number. A reset restores the initial value of the number.
template <class T>
class NumberMetric : public Metric {
  static_assert(std::is_arithmetic<T>::value,
                "a metric requires an arithmetic type, such as int64_t or double");

 public:
  NumberMetric(const char* name, T initial, const char* unit = "", const char* meaning = "")
      : Metric(name, unit, meaning), initial_(initial), value_(initial) {}

  T value() const { return value_; }
  operator T() const { return value_; }

  void reset() override { value_ = initial_; }

 protected:
  ~NumberMetric() = default;

  const T initial_;
  T value_;
};

}  // namespace detail

/// A number that the program sets and changes. The value of the job is the sum over all cores.
template <class T>
class SimpleMetric final : public detail::NumberMetric<T> {
 public:
  using detail::NumberMetric<T>::NumberMetric;

  SimpleMetric& operator=(T value) {
    this->value_ = value;
    return *this;
  }
  SimpleMetric& operator+=(T change) { return *this = static_cast<T>(this->value_ + change); }
  SimpleMetric& operator-=(T change) { return *this = static_cast<T>(this->value_ - change); }
  SimpleMetric& operator++() { return *this += 1; }
  SimpleMetric& operator--() { return *this -= 1; }
  T operator++(int) {
    const T before = this->value_;
    ++*this;
    return before;
  }
  T operator--(int) {
    const T before = this->value_;
    --*this;
    return before;
  }

  detail::Reading read() const override { return {this->value_, detail::Total::Sum}; }
};

/// The maximum of its samples. `=`, `+=` and add() add a sample; `++` adds the sample 1. The value
/// of the job is the maximum over all cores.
template <class T>
class MaxMetric final : public detail::NumberMetric<T> {
 public:
  using detail::NumberMetric<T>::NumberMetric;

  void add(T value) { *this = value; }
  MaxMetric& operator=(T value) {
    if (value > this->value_) this->value_ = value;
    return *this;
  }
  MaxMetric& operator+=(T value) { return *this = value; }
  MaxMetric& operator++() { return *this = 1; }
  void operator++(int) { ++*this; }

  detail::Reading read() const override { return {this->value_, detail::Total::Max}; }
};

/// A summary of its samples. `=`, `+=`, `-=` and add() add a sample; `++` adds the sample 1.
/// value() is the initial value, or the last value assigned by `=`, plus all later changes. The
/// value of the job summarizes the samples of all cores.
template <class T>
class SummarizingMetric final : public detail::NumberMetric<T> {
 public:
  using detail::NumberMetric<T>::NumberMetric;

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
  SummarizingMetric& operator+=(T sample) { return note(sample, T(this->value_ + sample)); }
  SummarizingMetric& operator-=(T sample) { return note(sample, T(this->value_ - sample)); }
  SummarizingMetric& operator++() { return *this += 1; }
  void operator++(int) { ++*this; }

  detail::Reading read() const override { return detail::Reading(summary_); }
  void reset() override {
    detail::NumberMetric<T>::reset();
    summary_ = detail::Summary();
  }

 private:
  SummarizingMetric& note(T sample, T value) {
    this->value_ = value;
    summary_.add(static_cast<double>(sample));
    return *this;
  }

  detail::Summary summary_;
};

/// A histogram of its samples. `=`, `+=` and add() add a sample; `++` adds the sample 1. value() is
/// the last sample, or the initial value. The value of the job contains the samples of all cores.
class HistogramMetric final : public detail::NumberMetric<int64_t> {
 public:
  using detail::NumberMetric<int64_t>::NumberMetric;

  const Histogram& histogram() const { return histogram_; }

  void add(int64_t sample) { *this = sample; }
  void set(int64_t sample) { *this = sample; }  // old name
  HistogramMetric& operator=(int64_t sample) {
    value_ = sample;
    histogram_.add(sample);
    return *this;
  }
  HistogramMetric& operator+=(int64_t sample) { return *this = sample; }
  HistogramMetric& operator++() { return *this = 1; }
  void operator++(int) { ++*this; }

  detail::Reading read() const override { return detail::Reading(histogram_); }
  void reset() override {
    NumberMetric::reset();
    histogram_ = Histogram();
  }

 private:
  Histogram histogram_;
};

/// A text, such as a version, a file or a mode. `+=` appends. The value of the job is the first
/// nonempty text in the order of cores.
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

  detail::Reading read() const override { return detail::Reading(value_); }
  void reset() override { value_ = initial_; }

 private:
  const std::string initial_;
  std::string value_;
};

/// A number that a function of the program computes on demand: for reports, and often while a trace
/// is recorded. The function must not suspend. The value of the job is the sum over all cores.
template <class T>
class CallbackMetric final : public detail::Metric {
 public:
  typedef T (*Callback)();

  CallbackMetric(const char* name, Callback callback, const char* unit = "",
                 const char* meaning = "")
      : detail::Metric(name, unit, meaning), callback_(callback) {}

  T value() const { return callback_(); }
  operator T() const { return callback_(); }

  detail::Reading read() const override { return detail::Reading(callback_(), detail::Total::Sum); }
  void reset() override {}

 private:
  const Callback callback_;
};

namespace detail {
/// The macros look up a type here, so programs in any namespace may omit `Grappa::`.
namespace metric_types {
using namespace ::Grappa;  // NOLINT: the only purpose of this namespace
namespace Grappa = ::Grappa;
}  // namespace metric_types

template <class M>
class TimedRegion {
  typedef typename std::decay<decltype(std::declval<M&>().value())>::type Value;
  static_assert(std::is_floating_point<Value>::value,
                "GRAPPA_TIME_REGION adds fractions of seconds, which an integer metric would lose: "
                "use a metric of type double");

 public:
  explicit TimedRegion(M& metric) : metric_(metric), start_(walltime()) {}
  ~TimedRegion() { metric_ += static_cast<Value>(walltime() - start_); }
  TimedRegion(const TimedRegion&) = delete;
  TimedRegion& operator=(const TimedRegion&) = delete;

  bool enter() { return calls_++ == 0; }  // returns true at the first call only

 private:
  M& metric_;
  const double start_;
  int calls_ = 0;
};

}  // namespace detail
}  // namespace Grappa

/// Defines the metric `name` at file scope: GRAPPA_DEFINE_METRIC(type, name, initial), or
/// GRAPPA_DEFINE_METRIC(type, name, initial, "unit", "meaning") with texts for reports. The names
/// of all metrics in a program must be different.
#define GRAPPA_DEFINE_METRIC(type, name, ...) \
  ::Grappa::detail::metric_types::type name(#name, __VA_ARGS__)

/// Declares a metric that another file defines.
#define GRAPPA_DECLARE_METRIC(type, name) extern ::Grappa::detail::metric_types::type name

#define GRAPPA_TIME_REGION_JOINED(name, line) name##line
#define GRAPPA_TIME_REGION_NAME(name, line) GRAPPA_TIME_REGION_JOINED(name, line)

/// GRAPPA_TIME_REGION(metric) { ... } adds the wall-clock seconds of the block to a metric, on
/// every exit from the block. `break` and `continue` leave the block, not an enclosing loop. If the
/// task suspends inside the block, the time of other tasks is included.
#define GRAPPA_TIME_REGION(metric)                                                  \
  for (::Grappa::detail::TimedRegion<std::remove_reference<decltype(metric)>::type> \
           GRAPPA_TIME_REGION_NAME(grappa_timed_region_, __LINE__)(metric);         \
       GRAPPA_TIME_REGION_NAME(grappa_timed_region_, __LINE__).enter();)
