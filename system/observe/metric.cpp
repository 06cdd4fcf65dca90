#include "system/observe/metric.hpp"

namespace Grappa {
namespace detail {
namespace {

Metric* all_metrics = nullptr;
uint64_t resets = 0;

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

}  // namespace detail
}  // namespace Grappa
