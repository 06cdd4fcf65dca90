#include "system/report/report_page.hpp"

#include "system/report/readable.hpp"

#include <algorithm>
#include <utility>

namespace Grappa {
namespace detail {
namespace {

typedef ReportNumbers::Times Times;

// Widths of the cells of tables.
constexpr size_t kColumnsOfACore = 6;
constexpr size_t kColumnsOfSpread = 8;

std::string left(const std::string& text, size_t columns) {
  return text + std::string(columns - std::min(columns, text.size()), ' ');
}

std::string right(const std::string& text, size_t columns) {
  return std::string(columns - std::min(columns, text.size()), ' ') + text;
}

/// Cuts a line to the width of the page, because texts of programs may be of any length.
std::string cut(const std::string& line) {
  if (line.size() <= kPageColumns) return line;
  size_t end = kPageColumns - 3;
  while ((line[end] & 0xc0) == 0x80) --end;  // not inside a UTF-8 character
  return line.substr(0, end) + "...";
}

std::string count(uint64_t number) { return readable_count(static_cast<double>(number)); }

std::string bytes(uint64_t number) { return readable_bytes(static_cast<double>(number)); }

std::string percent_text(uint64_t part, uint64_t whole) {
  return readable_percent(percent_of(static_cast<double>(part), static_cast<double>(whole)));
}

std::string mean_text(uint64_t sum, uint64_t n) {
  return readable_mean(mean_of(static_cast<double>(sum), static_cast<double>(n)));
}

std::string some(uint64_t number, const char* one) {
  return std::to_string(number) + " " + one + (number == 1 ? "" : "s");
}

/// The text after a maximum over the cores: the core with the maximum, the median and the minimum.
std::string beside_the_most(const CoreSpread<uint64_t>& spread, std::string (*text)(uint64_t)) {
  return "core " + std::to_string(spread.max_core) + "; median " + text(spread.median) +
         ", least " + text(spread.min);
}

/// Lines of one section.
class Section {
 public:
  Section(std::string* page, const char* name) : page_(page), name_(name) {}

  /// Adds `label`, then `value` at the right end of its column, then `more`.
  void line(const std::string& label, const std::string& value, const std::string& more = "") {
    constexpr size_t kColumns = 25;
    const size_t rest = std::max(kColumns, label.size() + value.size() + 1) - label.size();
    add(label + right(value, rest) + (more.empty() ? "" : "  " + more));
  }

  /// Adds `label`, then the cells of a table, each at the right end of a column of that width.
  void cells(const std::string& label, const std::vector<std::string>& cells, size_t columns) {
    std::string text = left(label, 19);
    for (const std::string& cell : cells) text += right(cell, columns);
    add(text);
  }

 private:
  void add(const std::string& text) {
    if (*name_ != '\0' && !page_->empty()) *page_ += "\n";
    *page_ += cut(left(name_, 13) + text) + "\n";
    name_ = "";
  }

  std::string* const page_;
  const char* name_;  // empty after the first line
};

void add_job(const ReportNumbers& numbers, std::string* page) {
  const JobFacts& job = numbers.job;
  Section section(page, "job");
  section.line("program", job.program);
  section.line("cores", std::to_string(job.cores),
               "in " + some(job.locales, "locale") + " on " + some(job.hosts, "host"));
  section.line("wall time", readable_seconds(job.wall_seconds));
  if (!job.was_reset) return;
  section.line("counted", readable_seconds(numbers.counted_seconds()),
               "since Metrics::reset, like all below");
}

void add_share(const char* label, const std::vector<Times>& times, double Times::*part,
               Section* section) {
  std::vector<double> shares;
  shares.reserve(times.size());
  for (const Times& core : times) shares.push_back(percent_of(core.*part, core.all()));
  if (shares.size() <= kCoresShown) {
    std::vector<std::string> cells;
    cells.reserve(shares.size());
    for (const double share : shares) cells.push_back(readable_percent(share));
    section->cells(label, cells, kColumnsOfACore);
    return;
  }
  const CoreSpread<double> spread = spread_of(shares);
  section->cells(label,
                 {readable_percent(spread.min), std::to_string(spread.min_core),
                  readable_percent(spread.median), readable_percent(spread.max),
                  std::to_string(spread.max_core)},
                 kColumnsOfSpread);
}

void add_time(const ReportNumbers& numbers, std::string* page) {
  Section section(page, "time");
  const size_t cores = numbers.times.size();
  if (cores <= kCoresShown) {
    std::vector<std::string> head;
    for (size_t core = 0; core < cores; ++core) head.push_back(std::to_string(core));
    section.cells("core", head, kColumnsOfACore);
  } else {
    section.cells("of all cores", {"min", "core", "median", "max", "core"}, kColumnsOfSpread);
  }
  add_share("running", numbers.times, &Times::running, &section);
  add_share("polling", numbers.times, &Times::polling, &section);
  add_share("idle", numbers.times, &Times::idle, &section);
}

void add_messages(const ReportNumbers& numbers, std::string* page) {
  if (numbers.messages == 0) return;
  const double seconds = numbers.counted_seconds();
  const auto rate = [seconds](uint64_t number) {
    return mean_of(static_cast<double>(number), seconds);
  };
  Section section(page, "messages");
  section.line("sent", count(numbers.messages), readable_rate(rate(numbers.messages)));
  section.line("bytes", bytes(numbers.message_bytes),
               readable_bytes(rate(numbers.message_bytes)) + "/s, " +
                   mean_text(numbers.message_bytes, numbers.messages) + " B a message");
  const CoreSpread<uint64_t> spread = spread_of(numbers.messages_of_core);
  if (spread.max <= 2 * spread.median) return;
  section.line("most by a core", count(spread.max), beside_the_most(spread, count));
}

void add_aggregation(const ReportNumbers& numbers, std::string* page) {
  const ReportNumbers::Buffers& buffers = numbers.buffers;
  const uint64_t all = buffers.all();
  if (all == 0) return;
  Section section(page, "aggregation");
  const double bytes_each =
      mean_of(static_cast<double>(numbers.message_bytes), static_cast<double>(all));
  section.line(
      "buffers sent", count(all),
      mean_text(numbers.messages, all) + " messages, " + readable_bytes(bytes_each) + " each");
  const std::pair<uint64_t, std::pair<const char*, const char*>> reasons[] = {
      {buffers.full, {"full", "the next message did not fit"}},
      {buffers.idle, {"idle", "the core had nothing else to do"}},
      {buffers.latency_critical, {"latency-critical", "tasks waited for their messages"}},
      {buffers.aged, {"aged", "open for --flush_age_us microseconds"}},
      {buffers.on_request, {"on request", "the receiver waited"}}};
  for (const auto& reason : reasons) {
    if (reason.first == 0) continue;
    section.line(reason.second.first, percent_text(reason.first, all), reason.second.second);
  }
}

void add_tasks(const ReportNumbers& numbers, std::string* page) {
  if (numbers.tasks == 0) return;
  Section section(page, "tasks");
  section.line(
      "run", count(numbers.tasks),
      readable_rate(mean_of(static_cast<double>(numbers.tasks), numbers.counted_seconds())));
  if (numbers.tasks_stolen != 0) {
    section.line("stolen", count(numbers.tasks_stolen),
                 percent_text(numbers.tasks_stolen, numbers.tasks) + " of them");
  }
  const uint64_t workers = sum_of(numbers.workers_of_core);
  if (workers == 0) return;  // all were created before a reset
  const CoreSpread<uint64_t> spread = spread_of(numbers.workers_of_core);
  section.line(
      "workers made", count(workers),
      "at most " + count(spread.max) + " at once, on core " + std::to_string(spread.max_core));
}

void add_combining(const ReportNumbers& numbers, std::string* page) {
  const uint64_t all = numbers.operations;
  Section section(page, "combining");
  if (all != 0) {
    section.line(
        "operations", count(all),
        "in " + count(numbers.commits) + " batches, " + mean_text(all, numbers.commits) + " each");
  }
  if (numbers.structure_messages != 0) {
    section.line("messages", count(numbers.structure_messages),
                 mean_text(all, numbers.structure_messages) + " operations each");
  }
  if (numbers.matched_pairs != 0) {
    section.line("matched", percent_text(2 * numbers.matched_pairs, all),
                 "pushes and pops that met on their core");
  }
  if (numbers.duplicates != 0) {
    section.line("duplicates", percent_text(numbers.duplicates, all),
                 "merged with an equal pending operation");
  }
  if (numbers.known != 0) {
    section.line("known", percent_text(numbers.known, all), "answered from keys known on the core");
  }
  if (numbers.additions == 0) return;
  section.line("additions", count(numbers.additions),
               "in " + count(numbers.addition_batches) + " delegates, " +
                   mean_text(numbers.additions, numbers.addition_batches) + " each");
}

void add_processes(const char* label, const std::vector<uint64_t>& of_cores, Section* section) {
  const CoreSpread<uint64_t> spread = spread_of(of_cores);
  section->line(label, bytes(spread.max), beside_the_most(spread, bytes));
}

void add_memory(const ReportNumbers& numbers, std::string* page) {
  Section section(page, "memory");
  if (numbers.heap_bytes_most != 0) {
    section.line("global heap", bytes(numbers.heap_bytes_most),
                 "at most, of " + bytes(numbers.heap_bytes_reserved) + " reserved");
    section.line("  at the end", bytes(numbers.heap_bytes),
                 "allocated, " + bytes(numbers.heap_bytes_resident) + " in memory");
  }
  add_processes("processes", numbers.resident_of_core, &section);
  add_processes("  at their peak", numbers.peak_of_core, &section);
  section.line("stacks", bytes(numbers.stack_bytes));
  section.line("message buffers", bytes(numbers.buffer_bytes_used),
               "used by a core at most, of " + bytes(numbers.buffer_bytes));
}

void add_program(const ReportNumbers& numbers, std::string* page) {
  Section section(page, "program");
  for (size_t k = 0; k < std::min<size_t>(kMetricsShown, numbers.program.size()); ++k) {
    const ReportNumbers::ProgramMetric& metric = numbers.program[k];
    const bool both = !metric.unit.empty() && !metric.meaning.empty();
    section.line(metric.name, metric.value, metric.unit + (both ? " " : "") + metric.meaning);
  }
  if (numbers.program.size() > kMetricsShown) {
    section.line("more", count(numbers.program.size() - kMetricsShown), "metrics, in the files");
  }
}

}  // namespace

std::string report_page(const ReportNumbers& numbers) {
  std::string page;
  add_job(numbers, &page);
  add_time(numbers, &page);
  add_messages(numbers, &page);
  add_aggregation(numbers, &page);
  add_tasks(numbers, &page);
  add_combining(numbers, &page);
  add_memory(numbers, &page);
  add_program(numbers, &page);
  return page + "\nall counters, of each core: --report_json=FILE or --metrics_json=FILE\n";
}

}  // namespace detail
}  // namespace Grappa
