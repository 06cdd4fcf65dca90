#pragma once

/// Samples in constant memory: a summary and a histogram.

#include "system/base/bits.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace Grappa {

/// A histogram of integers, with powers of two as bucket bounds.
///
/// Bucket 0 counts samples below 1. Bucket k >= 1 counts samples from 2^(k-1) to 2^k - 1. Every
/// int64_t has a bucket, which is found by the highest bit of the sample. The histograms of several
/// cores are merged by adding their counts.
class Histogram {
 public:
  enum : size_t { kBuckets = 64 };

  static size_t bucket_of(int64_t sample) {
    if (sample < 1) return 0;
    return static_cast<size_t>(1 + detail::floor_log2(static_cast<uint64_t>(sample)));
  }

  /// Returns the smallest number above the bucket.
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

/// Count, mean, standard deviation, minimum and maximum of samples.
///
/// The class stores the sum of squared distances from the mean. A plain sum of squares would lose
/// all digits by cancellation if the deviation is small compared to the mean. (B. Welford, "Note on
/// a Method for Calculating Corrected Sums of Squares and Products", Technometrics 4(3), 1962. For
/// merging: T. Chan, G. Golub, R. LeVeque, "Updating Formulae and a Pairwise Algorithm for
/// Computing Sample Variances", COMPSTAT 1982.)
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

  /// mean(), min(), max() and sum() are 0 if there is no sample.
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

}  // namespace detail
}  // namespace Grappa
