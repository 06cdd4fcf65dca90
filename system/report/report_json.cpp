#include "system/report/report_json.hpp"

#include "system/report/readable.hpp"

#include <sstream>

#include <nlohmann/json.hpp>

namespace Grappa {
namespace detail {
namespace {

typedef nlohmann::ordered_json Json;
typedef ReportNumbers::Times Times;

double quotient(uint64_t sum, uint64_t n) {
  return mean_of(static_cast<double>(sum), static_cast<double>(n));
}

double percent(uint64_t part, uint64_t whole) { return 100 * quotient(part, whole); }

double rate(uint64_t number, const ReportNumbers& numbers) {
  return mean_of(static_cast<double>(number), numbers.counted_seconds());
}

Json job_of(const ReportNumbers& numbers) {
  return {
      {"program", numbers.job.program},           {"cores", numbers.job.cores},
      {"locales", numbers.job.locales},           {"hosts", numbers.job.hosts},
      {"wall_seconds", numbers.job.wall_seconds}, {"counted_seconds", numbers.counted_seconds()}};
}

Json share(const ReportNumbers& numbers, double Times::*part) {
  Json of_cores = Json::array();
  for (const Times& core : numbers.times) {
    of_cores.push_back(percent_of(core.*part, core.all()));
  }
  return of_cores;
}

Json time_of(const ReportNumbers& numbers) {
  return {{"running_percent", share(numbers, &Times::running)},
          {"polling_percent", share(numbers, &Times::polling)},
          {"idle_percent", share(numbers, &Times::idle)}};
}

Json messages_of(const ReportNumbers& numbers) {
  return {{"sent", numbers.messages},
          {"per_second", rate(numbers.messages, numbers)},
          {"bytes", numbers.message_bytes},
          {"bytes_per_second", rate(numbers.message_bytes, numbers)},
          {"bytes_each", quotient(numbers.message_bytes, numbers.messages)},
          {"sent_by_core", numbers.messages_of_core}};
}

Json aggregation_of(const ReportNumbers& numbers) {
  const ReportNumbers::Buffers& buffers = numbers.buffers;
  const uint64_t all = buffers.all();
  return {{"buffers", all},
          {"messages_each", quotient(numbers.messages, all)},
          {"bytes_each", quotient(numbers.message_bytes, all)},
          {"full_percent", percent(buffers.full, all)},
          {"idle_percent", percent(buffers.idle, all)},
          {"latency_critical_percent", percent(buffers.latency_critical, all)},
          {"aged_percent", percent(buffers.aged, all)},
          {"on_request_percent", percent(buffers.on_request, all)}};
}

Json tasks_of(const ReportNumbers& numbers) {
  return {{"run", numbers.tasks},
          {"per_second", rate(numbers.tasks, numbers)},
          {"stolen", numbers.tasks_stolen},
          {"stolen_percent", percent(numbers.tasks_stolen, numbers.tasks)},
          {"workers", sum_of(numbers.workers_of_core)},
          {"workers_by_core", numbers.workers_of_core}};
}

Json combining_of(const ReportNumbers& numbers) {
  const uint64_t all = numbers.operations;
  return {{"operations", all},
          {"batches", numbers.commits},
          {"operations_each", quotient(all, numbers.commits)},
          {"messages", numbers.structure_messages},
          {"operations_a_message", quotient(all, numbers.structure_messages)},
          {"matched_percent", percent(2 * numbers.matched_pairs, all)},
          {"duplicates_percent", percent(numbers.duplicates, all)},
          {"known_percent", percent(numbers.known, all)},
          {"additions", numbers.additions},
          {"addition_batches", numbers.addition_batches}};
}

Json memory_of(const ReportNumbers& numbers) {
  return {{"heap_bytes", numbers.heap_bytes},
          {"heap_bytes_most", numbers.heap_bytes_most},
          {"heap_bytes_resident", numbers.heap_bytes_resident},
          {"heap_bytes_reserved", numbers.heap_bytes_reserved},
          {"resident_bytes_by_core", numbers.resident_of_core},
          {"resident_bytes_most_by_core", numbers.peak_of_core},
          {"stack_bytes", numbers.stack_bytes},
          {"buffer_bytes_used_by_a_core", numbers.buffer_bytes_used},
          {"buffer_bytes_of_a_core", numbers.buffer_bytes}};
}

}  // namespace

void write_report_json(std::ostream& out, const ReportNumbers& numbers,
                       const std::vector<MergedMetric>& metrics) {
  Json file = {{"report",
                {{"job", job_of(numbers)},
                 {"time", time_of(numbers)},
                 {"messages", messages_of(numbers)},
                 {"aggregation", aggregation_of(numbers)},
                 {"tasks", tasks_of(numbers)},
                 {"combining", combining_of(numbers)},
                 {"memory", memory_of(numbers)}}}};
  std::stringstream counters;
  write_metrics_json(counters, metrics);
  file.update(Json::parse(counters));
  constexpr auto kReplace = Json::error_handler_t::replace;  // for invalid UTF-8
  out << file.dump(1, ' ', false, kReplace) << "\n";
}

}  // namespace detail
}  // namespace Grappa
