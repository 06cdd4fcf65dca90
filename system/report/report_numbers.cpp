#include "system/report/report_numbers.hpp"

#include "system/base/check.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace Grappa {
namespace detail {
namespace {

/// Finds metrics by their names.
class MetricsByName {
 public:
  explicit MetricsByName(const std::vector<MergedMetric>& all) : all_(all) {}

  uint64_t of_all(const char* name) const { return found(name).value.as_unsigned; }

  /// For counters of modules that a program need not be linked with: 0 if the module is missing.
  uint64_t of_all_if_linked(const char* name) const {
    const MergedMetric* const metric = find(name);
    return metric == nullptr ? 0 : metric->value.as_unsigned;
  }

  std::vector<uint64_t> of_cores(const char* name) const {
    std::vector<uint64_t> values;
    for (const Reading& reading : found(name).per_core) values.push_back(reading.as_unsigned);
    return values;
  }

 private:
  const MergedMetric* find(const char* name) const {
    for (const MergedMetric& each : all_) {
      if (std::strcmp(each.metric->name(), name) == 0) return &each;
    }
    return nullptr;
  }

  const MergedMetric& found(const char* name) const {
    const MergedMetric* const metric = find(name);
    GRAPPA_CHECK(metric != nullptr) << "unknown counter " << name;
    return *metric;
  }

  const std::vector<MergedMetric>& all_;
};

std::vector<ReportNumbers::Times> times_of_cores(const MetricsByName& metrics) {
  const std::vector<uint64_t> running = metrics.of_cores("tasking.running_ns");
  const std::vector<uint64_t> polling = metrics.of_cores("tasking.polling_ns");
  const std::vector<uint64_t> idle = metrics.of_cores("tasking.idle_ns");
  const auto seconds = [](uint64_t ns) { return static_cast<double>(ns) * 1e-9; };
  std::vector<ReportNumbers::Times> times(running.size());
  for (size_t core = 0; core < times.size(); ++core) {
    times[core] = {seconds(running[core]), seconds(polling[core]), seconds(idle[core])};
  }
  return times;
}

void add_structures(const MetricsByName& metrics, ReportNumbers* numbers) {
  numbers->commits = metrics.of_all_if_linked("structures.commits");
  numbers->matched_pairs = metrics.of_all_if_linked("structures.matched_pairs");
  numbers->duplicates = metrics.of_all_if_linked("structures.duplicates");
  numbers->known = metrics.of_all_if_linked("structures.known");  // they did not reach a proxy
  numbers->operations = metrics.of_all_if_linked("structures.operations") + numbers->known;
  numbers->structure_messages = metrics.of_all_if_linked("structures.master_messages") +
                                metrics.of_all_if_linked("structures.owner_messages");
  numbers->additions = metrics.of_all_if_linked("global.combined_additions");
  numbers->addition_batches = metrics.of_all_if_linked("global.combined_batches");
}

void add_memory(const MetricsByName& metrics, ReportNumbers* numbers) {
  numbers->heap_bytes = metrics.of_all("global.heap_bytes");
  numbers->heap_bytes_most = metrics.of_all("global.heap_high_water");
  numbers->heap_bytes_resident = metrics.of_all("global.heap_resident");
  numbers->heap_bytes_reserved = metrics.of_all("global.heap_reserved");
  numbers->resident_of_core = metrics.of_cores("runtime.resident");
  numbers->peak_of_core = metrics.of_cores("runtime.resident_most");
  numbers->stack_bytes = metrics.of_all("tasking.stack_resident");
  numbers->buffer_bytes_used = metrics.of_all("net.buffer_bytes_used");
  numbers->buffer_bytes = metrics.of_all("net.buffer_bytes");
}

/// Names of the runtime's metrics contain a dot. Names of a program's metrics are identifiers.
void add_program(const std::vector<MergedMetric>& metrics, ReportNumbers* numbers) {
  for (const MergedMetric& each : metrics) {
    const Metric& metric = *each.metric;
    if (std::strchr(metric.name(), '.') != nullptr || each.value.is_zero()) continue;
    numbers->program.push_back(
        {metric.name(), each.value.to_text(), metric.unit(), metric.meaning()});
  }
}

}  // namespace

double ReportNumbers::counted_seconds() const {
  if (!job.was_reset) return job.wall_seconds;
  double longest = 0;
  for (const Times& core : times) longest = std::max(longest, core.all());
  return longest;
}

ReportNumbers report_numbers(const JobFacts& job, const std::vector<MergedMetric>& all) {
  const MetricsByName metrics(all);
  ReportNumbers numbers;
  numbers.job = job;
  numbers.times = times_of_cores(metrics);
  numbers.messages_of_core = metrics.of_cores("message.messages");
  numbers.messages = metrics.of_all("message.messages");
  numbers.message_bytes = metrics.of_all("message.bytes");
  numbers.buffers.full = metrics.of_all("message.flushed_full");
  numbers.buffers.idle = metrics.of_all("message.flushed_idle");
  numbers.buffers.latency_critical = metrics.of_all("message.flushed_latency_critical");
  numbers.buffers.aged = metrics.of_all("message.flushed_aged");
  numbers.buffers.on_request = metrics.of_all("message.flushed_on_request");
  numbers.tasks = metrics.of_all("tasking.tasks");
  numbers.tasks_stolen = metrics.of_all("steal.tasks");
  numbers.workers_of_core = metrics.of_cores("tasking.workers");
  add_structures(metrics, &numbers);
  add_memory(metrics, &numbers);
  add_program(all, &numbers);
  return numbers;
}

uint64_t sum_of(const std::vector<uint64_t>& of_cores) {
  return std::accumulate(of_cores.begin(), of_cores.end(), uint64_t{0});
}

template <class T>
CoreSpread<T> spread_of(const std::vector<T>& of_cores) {
  std::vector<T> sorted = of_cores;
  std::sort(sorted.begin(), sorted.end());
  const auto place = [&of_cores](typename std::vector<T>::const_iterator found) {
    return static_cast<size_t>(found - of_cores.begin());
  };
  return {sorted.front(), sorted[(sorted.size() - 1) / 2], sorted.back(),
          place(std::min_element(of_cores.begin(), of_cores.end())),
          place(std::max_element(of_cores.begin(), of_cores.end()))};
}

template CoreSpread<double> spread_of(const std::vector<double>& of_cores);
template CoreSpread<uint64_t> spread_of(const std::vector<uint64_t>& of_cores);

}  // namespace detail
}  // namespace Grappa
