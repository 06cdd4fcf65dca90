#pragma once

/// The registry of all counters and metrics of a program, their values, and the counters.
///
/// A counter is a metric of the runtime: an exact count of events, with a dotted name,
/// module.event. Programs define metrics of other types (observe/metrics.hpp). A metric is a
/// file-scope object with the value of its own core. The constructor registers the metric
/// permanently. The registry is the same on every core, because all cores run the same binary.

#include "system/base/units.hpp"
#include "system/observe/clock.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace Grappa {

/// A histogram of integers. Bucket 0 counts samples below 1. Bucket k >= 1 counts samples from
/// 2^(k-1) to 2^k - 1.
class Histogram {
 public:
  enum : size_t { kBuckets = 64 };

  static size_t bucket_of(int64_t sample) {
    if (sample < 1) return 0;
    return static_cast<size_t>(1 + detail::floor_log2(static_cast<uint64_t>(sample)));
  }

  /// Returns the exclusive upper bound of the bucket.
  static double end_of(size_t bucket) { return static_cast<double>(uint64_t{1} << bucket); }

  void add(int64_t sample) {
    ++counts_[bucket_of(sample)];
    ++count_;
  }

  uint64_t count() const { return count_; }
  uint64_t count(size_t bucket) const { return counts_[bucket]; }

 private:
  uint64_t count_ = 0;
  uint64_t counts_[kBuckets] = {};
};

namespace detail {

/// Statistics of samples. If the deviation is small compared to the mean, a plain sum of squares
/// would lose all digits. (B. Welford, "Note on a Method for Calculating Corrected Sums of Squares
/// and Products", Technometrics 4(3), 1962. For merging: T. Chan, G. Golub, R. LeVeque, "Updating
/// Formulae and a Pairwise Algorithm for Computing Sample Variances", COMPSTAT 1982.)
class Summary {
 public:
  void add(double sample) {
    const double before = mean_;
    ++count_;
    mean_ += (sample - before) / static_cast<double>(count_);
    squares_ += (sample - before) * (sample - mean_);
    if (count_ == 1 || sample < min_) min_ = sample;
    if (count_ == 1 || sample > max_) max_ = sample;
  }

  void merge(const Summary& other) {
    if (other.count_ == 0) return;
    if (count_ == 0) {
      *this = other;
      return;
    }
    const double mine = static_cast<double>(count_), theirs = static_cast<double>(other.count_);
    const double distance = other.mean_ - mean_;
    mean_ += distance * (theirs / (mine + theirs));
    squares_ += other.squares_ + distance * distance * (mine * theirs / (mine + theirs));
    if (other.min_ < min_) min_ = other.min_;
    if (other.max_ > max_) max_ = other.max_;
    count_ += other.count_;
  }

  int64_t count() const { return count_; }

  /// Each returns 0 if there is no sample.
  double mean() const { return mean_; }
  double min() const { return min_; }
  double max() const { return max_; }
  double sum() const { return mean_ * static_cast<double>(count_); }

  /// Returns the sample standard deviation (divisor count() - 1), or 0 for fewer than two samples.
  double stddev() const {
    return count_ < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(count_ - 1));
  }

 private:
  int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // the sum of squared distances from the mean
  double min_ = 0;
  double max_ = 0;
};

/// The operation that combines the numbers of all cores.
enum class Total : uint8_t { Sum, Max };

/// The value of a metric at one moment, independent of the type of the metric. Members that the
/// kind does not use are 0 or empty.
struct Reading {
  enum class Kind : uint8_t { Signed, Unsigned, Real, Summary, Histogram, Text };

  Kind kind = Kind::Signed;
  Total total = Total::Sum;
  int64_t as_signed = 0;
  uint64_t as_unsigned = 0;
  double as_real = 0;
  Summary summary;
  std::vector<uint64_t> buckets;  // the counts of a Histogram
  std::string text;

  Reading() = default;
  template <class T>
  Reading(T number, Total combined) {
    static_assert(std::is_arithmetic<T>::value, "this metric requires an arithmetic type");
    total = combined;
    if (std::is_floating_point<T>::value) {
      kind = Kind::Real;
      as_real = static_cast<double>(number);
    } else if (std::is_signed<T>::value) {
      as_signed = static_cast<int64_t>(number);
    } else {
      kind = Kind::Unsigned;
      as_unsigned = static_cast<uint64_t>(number);
    }
  }
  explicit Reading(const Summary& samples) {
    kind = Kind::Summary;
    summary = samples;
  }
  explicit Reading(const Histogram& samples);
  explicit Reading(const std::string& value) : text(value) { kind = Kind::Text; }

  /// Merges the reading of the same metric on another core. A text is replaced only if it is empty.
  void merge(const Reading& other);

  /// Returns true for 0, an empty text, and a summary or histogram without samples.
  bool is_zero() const;

  /// Returns a number to plot. Summary: the mean; histogram: the number of samples; text: NaN.
  double number() const;

  std::string to_text() const;  // on one line

  void append_to(std::string* bytes) const;

  /// Parses the reading at `*at` and advances `*at` past it. If bytes are missing, aborts the job.
  static Reading take_from(const char** at, const char* end);
};

class Metric {
 public:
  Metric(const Metric&) = delete;
  Metric& operator=(const Metric&) = delete;

  const char* name() const { return name_; }
  const char* unit() const { return unit_; }        // may be empty
  const char* meaning() const { return meaning_; }  // may be empty

  virtual Reading read() const = 0;
  virtual void reset() = 0;

  /// Iterates over all metrics and counters. The latest metric is first.
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

/// All metrics, oldest first. The list is the same on every core, so an index identifies a metric.
std::vector<const Metric*> metrics_by_age();

void reset_metrics();
uint64_t metric_resets();

class Counter final : public Metric {
 public:
  typedef Grappa::detail::Total Total;

  Counter(const char* name, const char* unit, const char* meaning, Total total = Total::Sum)
      : Metric(name, unit, meaning), total_(total) {}

  void operator++() { ++value_; }
  void operator+=(uint64_t n) { value_ += n; }
  uint64_t value() const { return value_; }

  /// Sets the counter to a current state. A later reset does not change the value.
  void set(uint64_t value) {
    value_ = value;
    level_ = true;
  }

  /// Raises the counter to `value` if `value` is the maximum since the last reset.
  void raise_to(uint64_t value) {
    if (value > value_) value_ = value;
  }

  Reading read() const override { return Reading(value_, total_); }
  void reset() override {
    if (!level_) value_ = 0;
  }

  static Counter* first() { return from(Metric::first()); }
  Counter* next() const { return from(Metric::next()); }

 private:
  static Counter* from(Metric* metric) {
    while (metric != nullptr && dynamic_cast<Counter*>(metric) == nullptr) metric = metric->next();
    return static_cast<Counter*>(metric);
  }

  uint64_t value_ = 0;
  Total total_;
  bool level_ = false;
};

/// A counter of the time spent in an activity. Ticks are converted to nanoseconds only when the
/// counter is read, so short times cause no rounding errors.
class TickCounter final : public Metric {
 public:
  TickCounter(const char* name, const char* meaning) : Metric(name, "ns", meaning) {}

  void operator+=(uint64_t ticks) { ticks_ += ticks; }

  uint64_t ns() const { return uint64_t(double(ticks_) / ticks_per_ns()); }

  Reading read() const override { return Reading(ns(), Total::Sum); }
  void reset() override { ticks_ = 0; }

 private:
  uint64_t ticks_ = 0;
};

}  // namespace detail
}  // namespace Grappa
