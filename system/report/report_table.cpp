#include "system/report/job_report.hpp"

#include "system/base/check.hpp"
#include "system/observe/json.hpp"
#include "system/observe/readable.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace Grappa::detail {
namespace {

typedef std::vector<uint64_t> OfCores;

/// Maximum number of cores shown side by side in a terminal. For more cores, the spread is shown.
constexpr size_t kCoresShown = 8;
constexpr size_t kMetricsShown = 5;  // metrics of the program

double quotient(double part, double whole) { return whole > 0 ? part / whole : 0; }
double quotient(uint64_t part, uint64_t whole) {
  return quotient(static_cast<double>(part), static_cast<double>(whole));
}
double percent(uint64_t part, uint64_t whole) { return 100 * quotient(part, whole); }

std::string count(uint64_t number) { return readable_count(static_cast<double>(number)); }
std::string bytes(uint64_t number) { return readable_bytes(static_cast<double>(number)); }

/// The distribution of a value over the cores. min_core and max_core are the lowest such cores.
struct CoreSpread {
  double min, median, max;  // the median of an even number of cores is the lower one
  size_t min_core, max_core;
};

template <class T>
CoreSpread spread_of(const std::vector<T>& of_cores) {
  std::vector<double> sorted(of_cores.begin(), of_cores.end());
  std::sort(sorted.begin(), sorted.end());
  const auto first_min = std::min_element(of_cores.begin(), of_cores.end());
  const auto first_max = std::max_element(of_cores.begin(), of_cores.end());
  return {sorted.front(), sorted[(sorted.size() - 1) / 2], sorted.back(),
          static_cast<size_t>(first_min - of_cores.begin()),
          static_cast<size_t>(first_max - of_cores.begin())};
}

/// Returns the text after a maximum: the core with the maximum, the median and the minimum.
std::string beside_the_most(const CoreSpread& spread, std::string (*text)(double)) {
  return "core " + std::to_string(spread.max_core) + "; median " + text(spread.median) +
         ", least " + text(spread.min);
}

std::string right(const std::string& text, size_t columns) {
  return std::string(columns - std::min(columns, text.size()), ' ') + text;
}

std::string some(uint64_t number, const char* one) {
  return std::to_string(number) + " " + one + (number == 1 ? "" : "s");
}

/// Builds the table section by section.
struct Table {
  Table(const JobFacts& facts, const std::vector<MergedMetric>& all)
      : job(facts),
        metrics(all),
        all_ns(of_cores("tasking.running_ns")),
        counted_seconds(facts.wall_seconds) {
    for (const char* const rest : {"tasking.polling_ns", "tasking.idle_ns"}) {
      const OfCores ns = of_cores(rest);
      for (size_t core = 0; core < ns.size(); ++core) all_ns[core] += ns[core];
    }
    if (!job.was_reset) return;
    counted_seconds = static_cast<double>(*std::max_element(all_ns.begin(), all_ns.end())) * 1e-9;
  }

  void add_job();
  void add_time();
  void add_messages();
  void add_aggregation();
  void add_tasks();
  void add_combining();
  void add_memory();
  void add_program();

  /// Returns null for a counter of combining, if the program has no combining structure.
  const MergedMetric* find(const std::string& counter) const {
    for (const MergedMetric& each : metrics) {
      if (each.metric->name() == counter) return &each;
    }
    GRAPPA_CHECK(counter.find("structures.") == 0 || counter.find("global.combined_") == 0)
        << "unknown counter " << counter;
    return nullptr;
  }

  uint64_t of_all(const char* counter) const {
    const MergedMetric* const metric = find(counter);
    return metric == nullptr ? 0 : metric->value.as_unsigned;
  }
  OfCores of_cores(const std::string& counter) const {
    OfCores values;
    for (const Reading& reading : find(counter)->per_core) values.push_back(reading.as_unsigned);
    return values;
  }

  double per_second(uint64_t number) const {
    return quotient(static_cast<double>(number), counted_seconds);
  }

  template <class T>
  void field(const std::string& name, const T& value) {
    rows.push_back({section, name, text_of(value), ""});
  }

  /// Adds a field and, unless its value is 0, a line.
  template <class T>
  void row(const std::string& name, T number, const std::string& label, const std::string& value,
           const std::string& more) {
    field(name, number);
    if (number > 0) line(label, value, more);
  }

  /// Adds a line to the row of the last field. `value` is aligned to the right end of its column.
  void line(const std::string& label, const std::string& value, const std::string& more = "") {
    constexpr size_t kColumns = 25;
    const size_t rest = std::max(kColumns, label.size() + value.size() + 1) - label.size();
    add_line(label + right(value, rest) + (more.empty() ? "" : "  " + more));
  }

  /// Adds a line with the value of each core, or with five cells if there are many cores.
  void cells(const std::string& label, const std::vector<std::string>& cells) {
    std::string text = label;
    text.resize(19, ' ');
    for (const std::string& cell : cells) text += right(cell, job.cores <= kCoresShown ? 6 : 8);
    add_line(text);
  }

  void add_line(const std::string& line) {
    if (rows.empty() || rows.back().section != section || !rows.back().line.empty()) {
      rows.push_back({section, "", "", ""});
    }
    rows.back().line = line;
  }

  std::vector<ReportRow> rows;
  const JobFacts& job;
  const std::vector<MergedMetric>& metrics;
  OfCores all_ns;  // running, polling and idle

  /// The seconds that the counters cover: the wall time of the job. After Metrics::reset, the
  /// maximum over the cores of the time since the reset.
  double counted_seconds;
  const char* section = "";
};

void Table::add_job() {
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

void Table::add_time() {
  section = "time";
  const size_t cores = all_ns.size();
  const bool many = cores > kCoresShown;
  std::vector<std::string> head;
  for (size_t core = 0; core < cores; ++core) head.push_back(std::to_string(core));
  if (many) head = {"min", "core", "median", "max", "core"};
  cells(many ? "of all cores" : "core", head);
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
    this->cells(activity, cells);
  }
}

void Table::add_messages() {
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

void Table::add_aggregation() {
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

void Table::add_tasks() {
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

void Table::add_combining() {
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

void Table::add_memory() {
  section = "memory";
  const uint64_t most = of_all("global.heap_high_water");
  const uint64_t at_end = of_all("global.heap_bytes");
  const uint64_t resident = of_all("global.heap_resident");
  const uint64_t reserved = of_all("global.heap_reserved");
  row("heap_bytes_most", most, "global heap", bytes(most),
      "at most, of " + bytes(reserved) + " reserved");
  field("heap_bytes", at_end);
  if (most != 0) {
    line("  at the end", bytes(at_end), "allocated, " + bytes(resident) + " in memory");
  }
  field("heap_bytes_resident", resident);
  field("heap_bytes_reserved", reserved);
  const auto processes = [this](const char* name, const OfCores& of_cores, const char* label) {
    const CoreSpread spread = spread_of(of_cores);
    field(name, of_cores);
    line(label, readable_bytes(spread.max), beside_the_most(spread, readable_bytes));
  };
  processes("resident_bytes_by_core", of_cores("runtime.resident"), "processes");
  processes("resident_bytes_most_by_core", of_cores("runtime.resident_most"), "  at their peak");
  field("stack_bytes", of_all("tasking.stack_resident"));
  line("stacks", bytes(of_all("tasking.stack_resident")));
  const uint64_t used = of_all("net.buffer_bytes_used");
  const uint64_t limit = of_all("net.buffer_bytes");
  field("buffer_bytes_used_by_a_core", used);
  line("message buffers", bytes(used), "used by a core at most, of " + bytes(limit));
  field("buffer_bytes_of_a_core", limit);
}

/// Names of the runtime's metrics contain a dot. Names of a program's metrics are identifiers.
void Table::add_program() {
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

}  // namespace

std::vector<ReportRow> report_table(const JobFacts& job, const std::vector<MergedMetric>& metrics) {
  Table table(job, metrics);
  table.add_job();
  table.add_time();
  table.add_messages();
  table.add_aggregation();
  table.add_tasks();
  table.add_combining();
  table.add_memory();
  table.add_program();
  return table.rows;
}

}  // namespace Grappa::detail
