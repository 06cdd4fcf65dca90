#include "system/report/report_table.hpp"

#include <cstring>
#include <numeric>

namespace Grappa::detail {
namespace {

constexpr size_t kMetricsShown = 5;  // metrics of the program

}  // namespace

void ReportTable::add_job() {
  section = "job";
  field("program", job.program);
  line("program", job.program);
  field("cores", job.cores);
  line("cores", std::to_string(job.cores),
       "in " + some(job.locales, "locale") + " on " + some(job.hosts, "host"));
  field("locales", job.locales);
  field("hosts", job.hosts);
  field("wall_seconds", job.wall_seconds);
  line("wall time", readable_seconds(job.wall_seconds));
  field("counted_seconds", counted_seconds);
  if (!job.was_reset) return;
  line("counted", readable_seconds(counted_seconds), "since Metrics::reset, like all below");
}

void ReportTable::add_time() {
  section = "time";
  const size_t cores = all_ns.size();
  const bool many = cores > kCoresShown;
  std::vector<std::string> head;
  for (size_t core = 0; core < cores; ++core) head.push_back(std::to_string(core));
  if (many) head = {"min", "core", "median", "max", "core"};
  const size_t columns = many ? 8 : 6;
  cells(many ? "of all cores" : "core", head, columns);
  for (const std::string activity : {"running", "polling", "idle"}) {
    const OfCores part = of_cores("tasking." + activity + "_ns");
    std::vector<double> shares;
    std::vector<std::string> cells;
    for (size_t core = 0; core < cores; ++core) {
      shares.push_back(percent(part[core], all_ns[core]));
      cells.push_back(readable_percent(shares.back()));
    }
    if (many) {
      const CoreSpread spread = spread_of(shares);
      cells = {readable_percent(spread.min), std::to_string(spread.min_core),
               readable_percent(spread.median), readable_percent(spread.max),
               std::to_string(spread.max_core)};
    }
    field(activity + "_percent", shares);
    this->cells(activity, cells, columns);
  }
}

void ReportTable::add_messages() {
  section = "messages";
  const uint64_t sent = of_all("message.messages"), all = of_all("message.bytes");
  const OfCores sent_by_core = of_cores("message.messages");
  row("sent", sent, "sent", count(sent), readable_rate(per_second(sent)));
  field("per_second", per_second(sent));
  row("bytes", all, "bytes", bytes(all),
      readable_bytes(per_second(all)) + "/s, " + readable_mean(quotient(all, sent)) +
          " B a message");
  field("bytes_per_second", per_second(all));
  field("bytes_each", quotient(all, sent));
  field("sent_by_core", sent_by_core);
  const CoreSpread spread = spread_of(sent_by_core);
  if (spread.max <= 2 * spread.median) return;
  line("most by a core", readable_count(spread.max), beside_the_most(spread, readable_count));
}

void ReportTable::add_aggregation() {
  section = "aggregation";
  static const char* const kReasons[][4] = {
      {"message.flushed_full", "full_percent", "full", "the next message did not fit"},
      {"message.flushed_idle", "idle_percent", "idle", "the core had no other work"},
      {"message.flushed_latency_critical", "latency_critical_percent", "latency-critical",
       "tasks waited for their messages"},
      {"message.flushed_aged", "aged_percent", "aged", "open for --flush_age_us microseconds"},
      {"message.flushed_on_request", "on_request_percent", "on request", "the receiver waited"}};
  uint64_t all = 0;
  for (const auto& reason : kReasons) all += of_all(reason[0]);
  const double messages_each = quotient(of_all("message.messages"), all);
  const double bytes_each = quotient(of_all("message.bytes"), all);
  row("buffers", all, "buffers sent", count(all),
      readable_mean(messages_each) + " messages, " + readable_bytes(bytes_each) + " each");
  field("messages_each", messages_each);
  field("bytes_each", bytes_each);
  for (const auto& reason : kReasons) {
    const double share = percent(of_all(reason[0]), all);
    row(reason[1], share, reason[2], readable_percent(share), reason[3]);
  }
}

void ReportTable::add_tasks() {
  section = "tasks";
  const uint64_t run = of_all("tasking.tasks"), stolen = of_all("steal.tasks");
  const OfCores workers_by_core = of_cores("tasking.workers");
  const uint64_t workers =
      std::accumulate(workers_by_core.begin(), workers_by_core.end(), uint64_t{0});
  row("run", run, "run", count(run), readable_rate(per_second(run)));
  field("per_second", per_second(run));
  row("stolen", stolen, "stolen", count(stolen),
      readable_percent(percent(stolen, run)) + " of them");
  field("stolen_percent", percent(stolen, run));
  field("workers", workers);
  if (run != 0 && workers != 0) {  // 0: all workers were made before a reset
    const CoreSpread spread = spread_of(workers_by_core);
    line("workers made", count(workers),
         "at most " + readable_count(spread.max) + " at once, on core " +
             std::to_string(spread.max_core));
  }
  field("workers_by_core", workers_by_core);
}

void ReportTable::add_combining() {
  section = "combining";
  const uint64_t combined = of_all("structures.operations");
  const uint64_t known = of_all("structures.known"), local = of_all("structures.local");
  const uint64_t summed = of_all("structures.summed");
  const uint64_t all = combined + known + local + summed;
  const uint64_t batches = of_all("structures.commits");
  const uint64_t messages =
      of_all("structures.master_messages") + of_all("structures.owner_messages");
  row("operations", all, "operations", count(all),
      count(combined) + " in " + count(batches) + " batches, " +
          readable_mean(quotient(combined, batches)) + " each");
  field("batches", batches);
  field("operations_each", quotient(combined, batches));
  row("messages", messages, "messages", count(messages),
      readable_mean(quotient(all - summed, messages)) + " operations each");
  field("operations_a_message", quotient(all - summed, messages));  // sums travel by delegates
  const auto share = [&](const std::string& name, uint64_t part, const char* meaning) {
    row(name + "_percent", percent(part, all), name, readable_percent(percent(part, all)), meaning);
  };
  share("matched", 2 * of_all("structures.matched_pairs"),
        "pushes and pops that met on their core");
  share("duplicates", of_all("structures.duplicates"), "merged with an equal pending operation");
  share("known", known, "answered from keys known on the core");
  share("local", local, "on keys that belong to the core");
  share("summed", summed, "combined in a partial sum of the core");
  const uint64_t additions = of_all("global.combined_additions");
  const uint64_t delegates = of_all("global.combined_batches");
  row("additions", additions, "additions", count(additions),
      "in " + count(delegates) + " delegates, " + readable_mean(quotient(additions, delegates)) +
          " each");
  field("addition_batches", delegates);
}

/// Names of the runtime's metrics contain a dot. Names of a program's metrics are identifiers.
void ReportTable::add_program() {
  section = "program";
  size_t shown = 0, more = 0;
  for (const MergedMetric& each : metrics) {
    const Metric& metric = *each.metric;
    if (std::strchr(metric.name(), '.') != nullptr || each.value.is_zero()) continue;
    if (shown == kMetricsShown) {
      ++more;
      continue;
    }
    ++shown;
    const std::string unit = metric.unit(), meaning = metric.meaning();
    line(metric.name(), each.value.to_text(),
         unit + (unit.empty() || meaning.empty() ? "" : " ") + meaning);
  }
  if (more != 0) line("more", count(more), "metrics, in the files");
}

std::vector<ReportRow> report_table(const JobFacts& job, const std::vector<MergedMetric>& metrics) {
  ReportTable table(job, metrics);
  table.add_job();
  table.add_time();
  table.add_messages();
  table.add_locales();
  table.add_aggregation();
  table.add_tasks();
  table.add_combining();
  table.add_memory();
  table.add_program();
  return table.rows;
}

}  // namespace Grappa::detail
