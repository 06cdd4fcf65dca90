#pragma once

/// The report at the end of a job: one table of rows, which --report prints as a page and
/// --report_json writes as JSON.
///
/// The numbers come from the counters of all cores and from facts that only the runtime has. The
/// table has a section for each possible cause of a slow job, in the order in which a user looks
/// for it. JSON has all fields. The page omits empty sections and rounds the numbers; its columns
/// are the same on the whole page. Up to kCoresShown cores are shown side by side. For more cores
/// the page shows the minimum, median and maximum, with the cores that have them.

#include "system/report/merged_metrics.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

enum : size_t {
  kCoresShown = 8,   // side by side, in the width of a terminal
  kMetricsShown = 5  // metrics of the program
};

/// Facts about a job that no counter has.
struct JobFacts {
  std::string program;
  uint64_t cores = 1;
  uint64_t locales = 1;
  uint64_t hosts = 1;
  double wall_seconds = 0;  // from init to finalize
  bool was_reset = false;   // the counters cover a part of that time only
};

struct ReportRow {
  const char* section;
  std::string field;  // the name in JSON; empty: the row is only on the page
  std::string value;  // in JSON
  std::string line;   // on the page, after the name of the section; empty: the row is only in JSON
};

/// `metrics` are the metrics of all cores. Aborts the job if a counter of the runtime is missing.
/// The counters of combining are missing in a program without a combining structure.
std::vector<ReportRow> report_table(const JobFacts& job, const std::vector<MergedMetric>& metrics);

constexpr size_t kPageColumns = 80;

/// The page, in lines of at most kPageColumns columns. The first line of a section starts with the
/// name of the section.
std::string report_page(const std::vector<ReportRow>& table);

/// The unrounded numbers as a JSON object of sections. docs/running.md lists the fields.
std::string report_json(const std::vector<ReportRow>& table);

}  // namespace detail
}  // namespace Grappa
