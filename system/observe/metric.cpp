#include "system/observe/metric.hpp"

namespace Grappa {
namespace {

Metric* all_metrics = nullptr;

}  // namespace

Metric::Metric(const char* name, const char* unit, const char* meaning)
    : name_(name), unit_(unit), meaning_(meaning), next_(all_metrics) {
  all_metrics = this;
}

Metric* Metric::first() { return all_metrics; }

void reset_metrics() {
  for (Metric* metric = Metric::first(); metric != nullptr; metric = metric->next()) {
    metric->reset();
  }
}

}  // namespace Grappa
