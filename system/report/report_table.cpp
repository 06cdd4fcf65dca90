#include "system/report/report_table.hpp"

#include "system/base/check.hpp"
#include "system/observe/readable.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include <nlohmann/json.hpp>

namespace Grappa::detail {
namespace {

typedef nlohmann::ordered_json Json;
typedef std::vector<uint64_t> OfCores;

/// `part` divided by `whole`; 0 if `whole` is 0.
double quotient(double part, double whole) { return whole > 0 ? part / whole : 0; }
double quotient(uint64_t part, uint64_t whole) {
  return quotient(static_cast<double>(part), static_cast<double>(whole));
}
double percent(uint64_t part, uint64_t whole) { return 100 * quotient(part, whole); }

std::string count(uint64_t number) { return readable_count(static_cast<double>(number)); }
std::string bytes(uint64_t number) { return readable_bytes(static_cast<double>(number)); }

/// The numbers that the rows are computed from.
class Numbers {
 public:
  Numbers(const JobFacts& facts, const std::vector<MergedMetric>& all);

  /// The value of a counter over all cores, and of each core.
  uint64_t of_all(const char* counter) const { return found(counter).value.as_unsigned; }
  OfCores of_cores(const char* counter) const;

  /// For counters of modules that a program need not be linked with: 0 if the module is missing.
  uint64_t of_all_if_linked(const char* counter) const {
    const MergedMetric* const metric = find(counter);
    return metric == nullptr ? 0 : metric->value.as_unsigned;
  }

  double per_second(uint64_t number) const {
    return quotient(static_cast<double>(number), counted_seconds);
  }

  const JobFacts& job;
  const std::vector<MergedMetric>& metrics;

  OfCores running_ns, polling_ns, idle_ns, all_ns;

  /// The seconds that the counters cover: the wall time of the job or, after a Metrics::reset, the
  /// time since the reset, maximum over the cores.
  double counted_seconds;

 private:
  const MergedMetric* find(const char* name) const {
    for (const MergedMetric& each : metrics) {
      if (std::strcmp(each.metric->name(), name) == 0) return &each;
    }
    return nullptr;
  }
  const MergedMetric& found(const char* name) const {
    const MergedMetric* const metric = find(name);
    GRAPPA_CHECK(metric != nullptr) << "unknown counter " << name;
    return *metric;
  }
};

Numbers::Numbers(const JobFacts& facts, const std::vector<MergedMetric>& all)
    : job(facts), metrics(all), counted_seconds(facts.wall_seconds) {
  running_ns = of_cores("tasking.running_ns");
  polling_ns = of_cores("tasking.polling_ns");
  idle_ns = of_cores("tasking.idle_ns");
  for (size_t core = 0; core < running_ns.size(); ++core) {
    all_ns.push_back(running_ns[core] + polling_ns[core] + idle_ns[core]);
  }
  if (!job.was_reset) return;
  counted_seconds = static_cast<double>(*std::max_element(all_ns.begin(), all_ns.end())) * 1e-9;
}

OfCores Numbers::of_cores(const char* counter) const {
  OfCores values;
  for (const Reading& reading : found(counter).per_core) values.push_back(reading.as_unsigned);
  return values;
}

/// The distribution of a value over the cores. min_core and max_core are the first such cores.
struct CoreSpread {
  double min, median, max;  // the median of an even number of cores is the lower one
  size_t min_core, max_core;
};

/// `of_cores` must not be empty.
CoreSpread spread_of(const std::vector<double>& of_cores) {
  std::vector<double> sorted = of_cores;
  std::sort(sorted.begin(), sorted.end());
  const auto core_of = [&of_cores](double value) {
    return static_cast<size_t>(std::find(of_cores.begin(), of_cores.end(), value) -
                               of_cores.begin());
  };
  return {sorted.front(), sorted[(sorted.size() - 1) / 2], sorted.back(), core_of(sorted.front()),
          core_of(sorted.back())};
}

CoreSpread spread_of(const OfCores& of_cores) {
  return spread_of(std::vector<double>(of_cores.begin(), of_cores.end()));
}

/// The text after a maximum over the cores: the core with the maximum, the median and the minimum.
std::string beside_the_most(const CoreSpread& spread, std::string (*text)(double)) {
  return "core " + std::to_string(spread.max_core) + "; median " + text(spread.median) +
         ", least " + text(spread.min);
}

std::string left(const std::string& text, size_t columns) {
  return text + std::string(columns - std::min(columns, text.size()), ' ');
}

std::string right(const std::string& text, size_t columns) {
  return std::string(columns - std::min(columns, text.size()), ' ') + text;
}

class Table {
 public:
  std::vector<ReportRow> rows;

  void begin(const char* section) { section_ = section; }

  template <class T>
  void field(const char* name, const T& value) {
    constexpr auto kReplace = Json::error_handler_t::replace;  // for invalid UTF-8
    rows.push_back({section_, name, Json(value).dump(-1, ' ', false, kReplace), ""});
  }

  /// Adds a field and, unless its value is 0, a line.
  template <class T>
  void row(const char* name, T number, const std::string& label, const std::string& value,
           const std::string& more) {
    field(name, number);
    if (number > 0) line(label, value, more);
  }

  /// Adds a line to the row of the last field: `label`, then `value` at the right end of its
  /// column, then `more`.
  void line(const std::string& label, const std::string& value, const std::string& more = "") {
    constexpr size_t kColumns = 25;
    const size_t rest = std::max(kColumns, label.size() + value.size() + 1) - label.size();
    add(label + right(value, rest) + (more.empty() ? "" : "  " + more));
  }

  /// Adds a line with a value of each core, or with these five cells if there are many cores.
  void cells(const std::string& label, size_t cores, const std::vector<std::string>& cells) {
    std::string text = left(label, 19);
    for (const std::string& cell : cells) text += right(cell, cores <= kCoresShown ? 6 : 8);
    add(text);
  }

 private:
  void add(const std::string& line) {
    if (rows.empty() || rows.back().section != section_ || !rows.back().line.empty()) {
      rows.push_back({section_, "", "", ""});
    }
    rows.back().line = line;
  }

  const char* section_ = "";
};

std::string some(uint64_t number, const char* one) {
  return std::to_string(number) + " " + one + (number == 1 ? "" : "s");
}

void add_job(const Numbers& numbers, Table* table) {
  const JobFacts& job = numbers.job;
  table->begin("job");
  table->field("program", job.program);
  table->line("program", job.program);
  table->field("cores", job.cores);
  table->line("cores", std::to_string(job.cores),
              "in " + some(job.locales, "locale") + " on " + some(job.hosts, "host"));
  table->field("locales", job.locales);
  table->field("hosts", job.hosts);
  table->field("wall_seconds", job.wall_seconds);
  table->line("wall time", readable_seconds(job.wall_seconds));
  table->field("counted_seconds", numbers.counted_seconds);
  if (!job.was_reset) return;
  table->line("counted", readable_seconds(numbers.counted_seconds),
              "since Metrics::reset, like all below");
}

void add_share(const std::string& activity, const OfCores& part, const OfCores& all, Table* table) {
  std::vector<double> shares;
  std::vector<std::string> cells;
  for (size_t core = 0; core < part.size(); ++core) {
    shares.push_back(percent(part[core], all[core]));
    cells.push_back(readable_percent(shares.back()));
  }
  if (shares.size() > kCoresShown) {
    const CoreSpread spread = spread_of(shares);
    cells = {readable_percent(spread.min), std::to_string(spread.min_core),
             readable_percent(spread.median), readable_percent(spread.max),
             std::to_string(spread.max_core)};
  }
  table->field((activity + "_percent").c_str(), shares);
  table->cells(activity, shares.size(), cells);
}

void add_time(const Numbers& numbers, Table* table) {
  table->begin("time");
  const size_t cores = numbers.all_ns.size();
  std::vector<std::string> head;
  for (size_t core = 0; core < cores; ++core) head.push_back(std::to_string(core));
  if (cores > kCoresShown) head = {"min", "core", "median", "max", "core"};
  table->cells(cores > kCoresShown ? "of all cores" : "core", cores, head);
  add_share("running", numbers.running_ns, numbers.all_ns, table);
  add_share("polling", numbers.polling_ns, numbers.all_ns, table);
  add_share("idle", numbers.idle_ns, numbers.all_ns, table);
}

void add_messages(const Numbers& numbers, Table* table) {
  const uint64_t sent = numbers.of_all("message.messages"), all = numbers.of_all("message.bytes");
  const OfCores sent_by_core = numbers.of_cores("message.messages");
  table->begin("messages");
  table->row("sent", sent, "sent", count(sent), readable_rate(numbers.per_second(sent)));
  table->field("per_second", numbers.per_second(sent));
  table->row("bytes", all, "bytes", bytes(all),
             readable_bytes(numbers.per_second(all)) + "/s, " + readable_mean(quotient(all, sent)) +
                 " B a message");
  table->field("bytes_per_second", numbers.per_second(all));
  table->field("bytes_each", quotient(all, sent));
  table->field("sent_by_core", sent_by_core);
  const CoreSpread spread = spread_of(sent_by_core);
  if (spread.max <= 2 * spread.median) return;
  table->line("most by a core", readable_count(spread.max),
              beside_the_most(spread, readable_count));
}

void add_aggregation(const Numbers& numbers, Table* table) {
  static const char* const kReasons[][4] = {
      {"message.flushed_full", "full_percent", "full", "the next message did not fit"},
      {"message.flushed_idle", "idle_percent", "idle", "the core had nothing else to do"},
      {"message.flushed_latency_critical", "latency_critical_percent", "latency-critical",
       "tasks waited for their messages"},
      {"message.flushed_aged", "aged_percent", "aged", "open for --flush_age_us microseconds"},
      {"message.flushed_on_request", "on_request_percent", "on request", "the receiver waited"}};
  uint64_t all = 0;
  for (const auto& reason : kReasons) all += numbers.of_all(reason[0]);
  const double messages_each = quotient(numbers.of_all("message.messages"), all);
  const double bytes_each = quotient(numbers.of_all("message.bytes"), all);
  table->begin("aggregation");
  table->row("buffers", all, "buffers sent", count(all),
             readable_mean(messages_each) + " messages, " + readable_bytes(bytes_each) + " each");
  table->field("messages_each", messages_each);
  table->field("bytes_each", bytes_each);
  for (const auto& reason : kReasons) {
    const double share = percent(numbers.of_all(reason[0]), all);
    table->row(reason[1], share, reason[2], readable_percent(share), reason[3]);
  }
}

void add_tasks(const Numbers& numbers, Table* table) {
  const uint64_t run = numbers.of_all("tasking.tasks"), stolen = numbers.of_all("steal.tasks");
  const OfCores workers_by_core = numbers.of_cores("tasking.workers");
  const uint64_t workers =
      std::accumulate(workers_by_core.begin(), workers_by_core.end(), uint64_t{0});
  table->begin("tasks");
  table->row("run", run, "run", count(run), readable_rate(numbers.per_second(run)));
  table->field("per_second", numbers.per_second(run));
  table->row("stolen", stolen, "stolen", count(stolen),
             readable_percent(percent(stolen, run)) + " of them");
  table->field("stolen_percent", percent(stolen, run));
  table->field("workers", workers);
  if (run != 0 && workers != 0) {  // 0: all were created before a reset
    const CoreSpread spread = spread_of(workers_by_core);
    table->line("workers made", count(workers),
                "at most " + readable_count(spread.max) + " at once, on core " +
                    std::to_string(spread.max_core));
  }
  table->field("workers_by_core", workers_by_core);
}

void add_combining(const Numbers& numbers, Table* table) {
  const uint64_t known = numbers.of_all_if_linked("structures.known");  // reached no proxy
  const uint64_t all = numbers.of_all_if_linked("structures.operations") + known;
  const uint64_t batches = numbers.of_all_if_linked("structures.commits");
  const uint64_t messages = numbers.of_all_if_linked("structures.master_messages") +
                            numbers.of_all_if_linked("structures.owner_messages");
  table->begin("combining");
  table->row(
      "operations", all, "operations", count(all),
      "in " + count(batches) + " batches, " + readable_mean(quotient(all, batches)) + " each");
  table->field("batches", batches);
  table->field("operations_each", quotient(all, batches));
  table->row("messages", messages, "messages", count(messages),
             readable_mean(quotient(all, messages)) + " operations each");
  table->field("operations_a_message", quotient(all, messages));
  const auto share = [&](const std::string& name, uint64_t part, const char* meaning) {
    const double part_percent = percent(part, all);
    table->row((name + "_percent").c_str(), part_percent, name, readable_percent(part_percent),
               meaning);
  };
  share("matched", 2 * numbers.of_all_if_linked("structures.matched_pairs"),
        "pushes and pops that met on their core");
  share("duplicates", numbers.of_all_if_linked("structures.duplicates"),
        "merged with an equal pending operation");
  share("known", known, "answered from keys known on the core");
  const uint64_t additions = numbers.of_all_if_linked("global.combined_additions");
  const uint64_t delegates = numbers.of_all_if_linked("global.combined_batches");
  table->row("additions", additions, "additions", count(additions),
             "in " + count(delegates) + " delegates, " +
                 readable_mean(quotient(additions, delegates)) + " each");
  table->field("addition_batches", delegates);
}

void add_memory(const Numbers& numbers, Table* table) {
  const uint64_t most = numbers.of_all("global.heap_high_water");
  const uint64_t at_end = numbers.of_all("global.heap_bytes");
  const uint64_t resident = numbers.of_all("global.heap_resident");
  const uint64_t reserved = numbers.of_all("global.heap_reserved");
  table->begin("memory");
  table->row("heap_bytes_most", most, "global heap", bytes(most),
             "at most, of " + bytes(reserved) + " reserved");
  table->field("heap_bytes", at_end);
  if (most != 0) {
    table->line("  at the end", bytes(at_end), "allocated, " + bytes(resident) + " in memory");
  }
  table->field("heap_bytes_resident", resident);
  table->field("heap_bytes_reserved", reserved);
  const auto processes = [table](const char* name, const OfCores& of_cores, const char* label) {
    const CoreSpread spread = spread_of(of_cores);
    table->field(name, of_cores);
    table->line(label, readable_bytes(spread.max), beside_the_most(spread, readable_bytes));
  };
  processes("resident_bytes_by_core", numbers.of_cores("runtime.resident"), "processes");
  processes("resident_bytes_most_by_core", numbers.of_cores("runtime.resident_most"),
            "  at their peak");
  table->field("stack_bytes", numbers.of_all("tasking.stack_resident"));
  table->line("stacks", bytes(numbers.of_all("tasking.stack_resident")));
  const uint64_t used = numbers.of_all("net.buffer_bytes_used");
  const uint64_t limit = numbers.of_all("net.buffer_bytes");
  table->field("buffer_bytes_used_by_a_core", used);
  table->line("message buffers", bytes(used), "used by a core at most, of " + bytes(limit));
  table->field("buffer_bytes_of_a_core", limit);
}

/// Names of the runtime's metrics contain a dot. Names of a program's metrics are identifiers.
void add_program(const Numbers& numbers, Table* table) {
  size_t shown = 0, more = 0;
  table->begin("program");
  for (const MergedMetric& each : numbers.metrics) {
    const Metric& metric = *each.metric;
    if (std::strchr(metric.name(), '.') != nullptr || each.value.is_zero()) continue;
    if (shown == kMetricsShown) {
      ++more;
      continue;
    }
    ++shown;
    const std::string unit = metric.unit(), meaning = metric.meaning();
    table->line(metric.name(), each.value.to_text(),
                unit + (unit.empty() || meaning.empty() ? "" : " ") + meaning);
  }
  if (more != 0) table->line("more", count(more), "metrics, in the files");
}

}  // namespace

std::vector<ReportRow> report_table(const JobFacts& job, const std::vector<MergedMetric>& metrics) {
  const Numbers numbers(job, metrics);
  Table table;
  for (const auto add : {add_job, add_time, add_messages, add_aggregation, add_tasks, add_combining,
                         add_memory, add_program}) {
    add(numbers, &table);
  }
  return std::move(table.rows);
}

}  // namespace Grappa::detail
