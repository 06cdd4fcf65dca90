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
template <class T>
T take(const char** at, const char* end) {
  T value;
  std::memcpy(static_cast<void*>(&value), take(at, end, sizeof value), sizeof value);
  return value;
}

template <class T>
void put(std::string* bytes, const T& value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
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
  put(bytes, kind);
  put(bytes, total);
  switch (kind) {
    case Kind::Signed: return put(bytes, as_signed);
    case Kind::Unsigned: return put(bytes, as_unsigned);
    case Kind::Real: return put(bytes, as_real);
    case Kind::Summary: return put(bytes, summary);
    case Kind::Histogram:
      put(bytes, uint64_t{buckets.size()});
      for (const uint64_t count : buckets) put(bytes, count);
      return;
    case Kind::Text: put(bytes, uint64_t{text.size()}); bytes->append(text);
  }
}

Reading Reading::take_from(const char** at, const char* end) {
  Reading reading;
  reading.kind = take<Kind>(at, end);
  reading.total = take<Total>(at, end);
  switch (reading.kind) {
    case Kind::Signed: reading.as_signed = take<int64_t>(at, end); break;
    case Kind::Unsigned: reading.as_unsigned = take<uint64_t>(at, end); break;
    case Kind::Real: reading.as_real = take<double>(at, end); break;
    case Kind::Summary: reading.summary = take<Summary>(at, end); break;
    case Kind::Histogram:
      for (uint64_t left = take<uint64_t>(at, end); left != 0; --left) {
        reading.buckets.push_back(take<uint64_t>(at, end));
      }
      break;
    case Kind::Text: {
      const uint64_t length = take<uint64_t>(at, end);
      reading.text.assign(take(at, end, length), length);
    }
  }
  return reading;
}

}  // namespace Grappa::detail
