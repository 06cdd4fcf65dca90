#pragma once

/// A histogram of integers, with powers of two as bucket bounds.
///
/// Bucket 0 counts samples below 1. Bucket k >= 1 counts samples from 2^(k-1) to 2^k - 1. Every
/// int64_t has a bucket, which is found by the highest bit of the sample. The histograms of several
/// cores are merged by adding their counts.

#include "system/base/bits.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {

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

}  // namespace Grappa
