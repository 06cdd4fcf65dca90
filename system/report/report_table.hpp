#pragma once

/// The table of the report at the end of a job, while it is built section by section.

#include "system/base/check.hpp"
#include "system/observe/json.hpp"
#include "system/observe/readable.hpp"
#include "system/report/job_report.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Grappa { namespace detail {

typedef std::vector<uint64_t> OfCores;

/// Maximum number of cores shown side by side in a terminal. For more cores, the spread is shown.
constexpr size_t kCoresShown = 8;

inline double quotient(double part, double whole) { return whole > 0 ? part / whole : 0; }
inline double quotient(uint64_t part, uint64_t whole) {
  return quotient(static_cast<double>(part), static_cast<double>(whole));
}
inline double percent(uint64_t part, uint64_t whole) { return 100 * quotient(part, whole); }

inline std::string count(uint64_t number) { return readable_count(static_cast<double>(number)); }
inline std::string bytes(uint64_t number) { return readable_bytes(static_cast<double>(number)); }

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
inline std::string beside_the_most(const CoreSpread& spread, std::string (*text)(double)) {
  return "core " + std::to_string(spread.max_core) + "; median " + text(spread.median) +
         ", least " + text(spread.min);
}

inline std::string right(const std::string& text, size_t columns) {
  return std::string(columns - std::min(columns, text.size()), ' ') + text;
}

inline std::string some(uint64_t number, const char* one) {
  return std::to_string(number) + " " + one + (number == 1 ? "" : "s");
}

struct ReportTable {
  ReportTable(const JobFacts& facts, const std::vector<MergedMetric>& all)
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
  void add_locales();
  void add_aggregation();
  void add_tasks();
  void add_combining();
  void add_memory();
  void add_program();
  void add_matrix(const std::string& unit, uint64_t LocalePair::*member,
                  std::string (*text)(double));

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

  /// Adds a line with a value of each core or locale, or with five cells if there are many cores.
  void cells(const std::string& label, const std::vector<std::string>& cells, size_t columns = 8) {
    std::string text = label;
    text.resize(19, ' ');
    for (const std::string& cell : cells) text += right(cell, columns);
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

}}  // namespace Grappa::detail
