#include "system/observe/trace.hpp"

#include "system/observe/clock.hpp"

#include <algorithm>
#include <cmath>

namespace Grappa::detail {

std::vector<const Metric*> metrics_by_age() {
  std::vector<const Metric*> all;
  for (const Metric* metric = Metric::first(); metric != nullptr; metric = metric->next()) {
    all.push_back(metric);
  }
  std::reverse(all.begin(), all.end());
  return all;
}

Trace::Trace(uint64_t interval_ns) : interval_ns_(interval_ns), origin_ns_(steady_ns()) {}

void Trace::start() {
  if (recording()) return;
  metrics_ = metrics_by_age();
  last_.assign(metrics_.size(), std::nan(""));
  sample(steady_ns());
}

void Trace::stop() {
  if (!recording()) return;
  sample(steady_ns());
  due_ns_ = kNever;
}

void Trace::sample_if_due() {
  if (!recording()) return;
  const uint64_t now_ns = steady_ns();
  if (now_ns >= due_ns_) sample(now_ns);
}

void Trace::sample(uint64_t now_ns) {
  due_ns_ = now_ns + interval_ns_;
  for (size_t k = 0; k < metrics_.size(); ++k) {
    const double value = metrics_[k]->read().number();
    // number() of a text is NaN. A value that is not finite cannot be plotted or written as JSON.
    if (!std::isfinite(value) || value == last_[k]) continue;
    last_[k] = value;
    points_.push_back({now_ns - origin_ns_, value, k});
  }
}

}  // namespace Grappa::detail
