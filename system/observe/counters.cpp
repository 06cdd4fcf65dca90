#include "system/observe/counters.hpp"

namespace Grappa {
namespace detail {
namespace {

Counter* counter_from(Metric* metric) {
  while (metric != nullptr) {
    if (Counter* counter = dynamic_cast<Counter*>(metric)) return counter;
    metric = metric->next();
  }
  return nullptr;
}

}  // namespace

Counter* Counter::first() { return counter_from(Metric::first()); }

Counter* Counter::next() const { return counter_from(Metric::next()); }

}  // namespace detail
}  // namespace Grappa
