#include "system/observe/metric.hpp"

#include "system/base/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace Grappa::detail {
namespace {

Metric* all_metrics = nullptr;
uint64_t resets = 0;

template <class T>
void put(std::string* bytes, const T& value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

void need(const char* at, const char* end, uint64_t bytes) {
  GRAPPA_CHECK(bytes <= static_cast<uint64_t>(end - at))
      << "the metrics of another core are truncated: this is a bug in Grappa";
}

template <class T>
void get(const char** at, const char* end, T* value) {
  need(*at, end, sizeof *value);
  std::memcpy(value, *at, sizeof *value);
  *at += sizeof *value;
}

template <class T>
void combine(T* mine, T other, Total total) {
  *mine = total == Total::Max ? std::max(*mine, other) : static_cast<T>(*mine + other);
}

uint64_t sum_of(const std::vector<uint64_t>& counts) {
  uint64_t sum = 0;
  for (const uint64_t count : counts) sum += count;
  return sum;
}

template <class... Args>
std::string printed(const char* format, Args... args) {
  char text[160];
  std::snprintf(text, sizeof text, format, args...);
  return text;
}

/// Returns the lowest bucket bound that is above at least this part of all samples.
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

Reading Reading::of_summary(const Summary& summary) {
  Reading reading;
  reading.kind = Kind::Summary;
  reading.summary = summary;
  return reading;
}

Reading Reading::of_histogram(const Histogram& histogram) {
  Reading reading;
  reading.kind = Kind::Histogram;
  for (size_t k = 0; k < Histogram::kBuckets; ++k) reading.buckets.push_back(histogram.count(k));
  return reading;
}

Reading Reading::of_text(const std::string& text) {
  Reading reading;
  reading.kind = Kind::Text;
  reading.text = text;
  return reading;
}

void Reading::merge(const Reading& other) {
  GRAPPA_CHECK(kind == other.kind && total == other.total && buckets.size() == other.buckets.size())
      << "cores have different metrics: define the same metrics on all cores, at file scope";
  switch (kind) {
    case Kind::Signed:
      if (total == Total::Max) {
        as_signed = std::max(as_signed, other.as_signed);
      } else {  // unsigned, because signed overflow is undefined
        as_signed =
            static_cast<int64_t>(static_cast<uint64_t>(as_signed) + uint64_t(other.as_signed));
      }
      break;
    case Kind::Unsigned: combine(&as_unsigned, other.as_unsigned, total); break;
    case Kind::Real: combine(&as_real, other.as_real, total); break;
    case Kind::Summary: summary.merge(other.summary); break;
    case Kind::Histogram:
      for (size_t k = 0; k < buckets.size(); ++k) buckets[k] += other.buckets[k];
      break;
    case Kind::Text:
      if (text.empty()) text = other.text;
      break;
  }
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
    case Kind::Signed: put(bytes, as_signed); break;
    case Kind::Unsigned: put(bytes, as_unsigned); break;
    case Kind::Real: put(bytes, as_real); break;
    case Kind::Summary: put(bytes, summary); break;
    case Kind::Histogram:
      put(bytes, uint64_t{buckets.size()});
      for (const uint64_t count : buckets) put(bytes, count);
      break;
    case Kind::Text:
      put(bytes, uint64_t{text.size()});
      bytes->append(text);
      break;
  }
}

Reading Reading::take_from(const char** at, const char* end) {
  Reading reading;
  get(at, end, &reading.kind);
  get(at, end, &reading.total);
  uint64_t length = 0;
  switch (reading.kind) {
    case Kind::Signed: get(at, end, &reading.as_signed); break;
    case Kind::Unsigned: get(at, end, &reading.as_unsigned); break;
    case Kind::Real: get(at, end, &reading.as_real); break;
    case Kind::Summary: get(at, end, &reading.summary); break;
    case Kind::Histogram:
      get(at, end, &length);
      for (; length != 0; --length) {
        reading.buckets.push_back(0);
        get(at, end, &reading.buckets.back());
      }
      break;
    case Kind::Text:
      get(at, end, &length);
      need(*at, end, length);
      reading.text.assign(*at, length);
      *at += length;
      break;
  }
  return reading;
}

}  // namespace Grappa::detail
