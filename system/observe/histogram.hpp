#pragma once

/// How often a number had which size, by powers of two.
///
/// Bucket 0 counts what is below 1, bucket k from 1 on what is at least 2^(k-1) and below 2^k. So
/// every int64_t has a bucket, to add one is to find its highest bit, and the histograms of two
/// cores add up.

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

  /// The smallest number that is too large for the bucket.
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
