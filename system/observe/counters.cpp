#include "system/observe/counters.hpp"

#include "system/base/check.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>

namespace Grappa::detail {
namespace {

Metric* all_metrics = nullptr;
uint64_t resets = 0;

/// Removes `bytes` bytes from the front of a serialized reading, and returns their address.
const char* take(const char** at, const char* end, uint64_t bytes) {
  GRAPPA_CHECK(bytes <= static_cast<uint64_t>(end - *at))
      << "the metrics of another core are truncated: this is a bug in Grappa";
  *at += bytes;
  return *at - bytes;
}

uint64_t sum_of(const std::vector<uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

template <class... Args>
std::string printed(const char* format, Args... args) {
  char text[160];
  std::snprintf(text, sizeof text, format, args...);
  return text;
}

/// Returns the lowest bucket bound such that at least this part of all samples is below it.
double bound_of(const std::vector<uint64_t>& buckets, double part) {
  const double wanted = part * static_cast<double>(sum_of(buckets));
  uint64_t below = 0;
  for (size_t k = 0; k < buckets.size(); ++k) {
    below += buckets[k];
    if (below != 0 && static_cast<double>(below) >= wanted) return Histogram::end_of(k);
  }
  return 0;
}

}  // namespace

Metric::Metric(const char* name, const char* unit, const char* meaning)
    : name_(name), unit_(unit), meaning_(meaning), next_(all_metrics) {
  all_metrics = this;
}

Metric* Metric::first() { return all_metrics; }

void reset_metrics() {
  ++resets;
  for (Metric* metric = Metric::first(); metric != nullptr; metric = metric->next()) {
    metric->reset();
  }
}

uint64_t metric_resets() { return resets; }

std::vector<const Metric*> metrics_by_age() {
  std::vector<const Metric*> all;
  for (const Metric* metric = Metric::first(); metric != nullptr; metric = metric->next()) {
    all.push_back(metric);
  }
  std::reverse(all.begin(), all.end());
  return all;
}

Reading::Reading(const Histogram& samples) {
  kind = Kind::Histogram;
  for (size_t k = 0; k < Histogram::kBuckets; ++k) buckets.push_back(samples.count(k));
}

void Reading::merge(const Reading& other) {
  GRAPPA_CHECK(kind == other.kind && total == other.total && buckets.size() == other.buckets.size())
      << "cores have different metrics: define the same metrics on all cores, at file scope";
  if (total == Total::Max) {
    as_signed = std::max(as_signed, other.as_signed);
    as_unsigned = std::max(as_unsigned, other.as_unsigned);
    as_real = std::max(as_real, other.as_real);
  } else {
    // The sum is unsigned, because signed overflow is undefined.
    as_signed = static_cast<int64_t>(uint64_t(as_signed) + uint64_t(other.as_signed));
    as_unsigned += other.as_unsigned;
    as_real += other.as_real;
  }
  summary.merge(other.summary);
  for (size_t k = 0; k < buckets.size(); ++k) buckets[k] += other.buckets[k];
  if (text.empty()) text = other.text;
}

bool Reading::is_zero() const {
  if (kind == Kind::Text) return text.empty();
  if (kind == Kind::Summary) return summary.count() == 0;
  return number() == 0;
}

double Reading::number() const {
  switch (kind) {
    case Kind::Signed: return static_cast<double>(as_signed);
    case Kind::Unsigned: return static_cast<double>(as_unsigned);
    case Kind::Real: return as_real;
    case Kind::Summary: return summary.mean();
    case Kind::Histogram: return static_cast<double>(sum_of(buckets));
    case Kind::Text: break;
  }
  return std::nan("");
}

std::string Reading::to_text() const {
  switch (kind) {
    case Kind::Signed: return std::to_string(as_signed);
    case Kind::Unsigned: return std::to_string(as_unsigned);
    case Kind::Real: return printed("%.6g", as_real);
    case Kind::Summary:
      return printed("%lld x %.6g +- %.3g, %.6g to %.6g", static_cast<long long>(summary.count()),
                     summary.mean(), summary.stddev(), summary.min(), summary.max());
    case Kind::Histogram:
      return printed("%llu, half below %.0f, 99%% below %.0f",
                     static_cast<unsigned long long>(sum_of(buckets)), bound_of(buckets, 0.5),
                     bound_of(buckets, 0.99));
    case Kind::Text: break;
  }
  return text;
}

void Reading::append_to(std::string* bytes) const {
  const uint64_t sizes[] = {buckets.size(), text.size()};
  const ReadingNumbers& numbers = *this;
  bytes->append(reinterpret_cast<const char*>(&numbers), sizeof numbers);
  bytes->append(reinterpret_cast<const char*>(sizes), sizeof sizes);
  bytes->append(reinterpret_cast<const char*>(buckets.data()), 8 * buckets.size());
  bytes->append(text);
}

Reading Reading::take_from(const char** at, const char* end) {
  Reading reading;
  ReadingNumbers numbers;
  uint64_t sizes[2];
  std::memcpy(&numbers, take(at, end, sizeof numbers), sizeof numbers);
  std::memcpy(sizes, take(at, end, sizeof sizes), sizeof sizes);
  static_cast<ReadingNumbers&>(reading) = numbers;
  const char* const counts = take(at, end, 8 * sizes[0]);
  reading.buckets.resize(sizes[0]);
  std::copy(counts, counts + 8 * sizes[0], reinterpret_cast<char*>(reading.buckets.data()));
  reading.text.assign(take(at, end, sizes[1]), sizes[1]);
  return reading;
}

}  // namespace Grappa::detail
