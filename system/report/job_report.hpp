#pragma once

/// The counters and metrics of all cores, and the report at the end of a job: one table of rows,
/// which --report prints as a page and --report_json writes as JSON.
///
/// The table has a section for each possible cause of a slow job, in the order in which a user
/// checks them. JSON has all fields. The page omits empty sections and rounds the numbers.

#include "system/base/ids.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/report/options.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace Grappa { namespace detail {

struct MergedMetric {
  const Metric* metric;
  Reading value;                  // merged over all cores
  std::vector<Reading> per_core;  // by core
};

/// Returns the merged metrics, by name. From: task. Suspends: until all cores have answered.
/// Messages: 2 for each core; more if the metrics do not fit in one buffer.
std::vector<MergedMetric> merge_metrics();

/// Returns the same on core 0, outside of run, and no values elsewhere. Called by all cores.
std::vector<MergedMetric> merge_metrics_together();

/// Writes all metrics as JSON, including those that are zero:
///
///     {"cores": 2, "metrics": {"message.runs": {"unit": "runs", "meaning": "sent", "total": "sum",
///                                               "value": 7, "per_core": [3, 4]}, ...}}
///
/// `total` is sum, max, samples or first. A value is a number, a text, an object {count, mean,
/// stddev, min, max}, or for a histogram {count, buckets: [{below, count}...]}. A bucket counts the
/// samples below the power of two `below` that are not in an earlier bucket. Empty buckets are
/// omitted. Infinity and NaN are written as null. `report` is JSON for the first member, or empty.
void write_metrics_json(std::ostream& out, const std::vector<MergedMetric>& metrics,
                        const std::string& report = "");

/// Aborts the job if two metrics have the same name, because reports could not distinguish them.
void check_metric_names();

constexpr size_t kPageColumns = 80;

struct LocalePair {  // the buffers that cores of one locale have sent to cores of another, or of it
  Locale from;
  Locale to;
  uint64_t buffers;
  uint64_t bytes;
};

struct JobFacts {  // facts that no counter has
  std::string program;
  uint64_t cores = 1;
  uint64_t locales = 1;
  uint64_t hosts = 1;
  double wall_seconds = 0;        // from init to finalize
  bool was_reset = false;         // the counters cover only a part of that time
  std::vector<LocalePair> pairs;  // without pairs that have sent nothing; by `from`, then `to`
};

struct ReportRow {
  const char* section;
  std::string field;  // the name in JSON; empty: the row is only on the page
  std::string value;  // in JSON
  std::string line;   // on the page, after the section; empty: the row is only in JSON
};

/// Aborts the job if a counter of the runtime is missing. The counters of combining are missing in
/// a program without a combining structure.
std::vector<ReportRow> report_table(const JobFacts& job, const std::vector<MergedMetric>& metrics);

/// Returns the page, in lines of at most kPageColumns columns.
std::string report_page(const std::vector<ReportRow>& table);

/// Returns a JSON object of sections. docs/running.md lists the fields.
std::string report_json(const std::vector<ReportRow>& table);

/// A file that a flag names and core 0 writes at the end of the job. The file is opened when the
/// job starts, so a path that cannot be written is reported immediately. A job that fails leaves an
/// empty file. All functions except stream() are called by all cores together, outside of run.
class OutputFile {
 public:
  /// Opens `path` on core 0; an empty path means no file. If opening fails, or another flag names
  /// the same file, the job ends with status 2 and a line that names `flag`.
  OutputFile(const char* flag, const std::string& path);

  /// Truncates the file. Called after the files of all flags have been opened.
  void begin();

  bool wanted() const { return !path_.empty(); }  // on every core
  std::ostream& stream() { return stream_; }      // on core 0

  void close();  // if some data could not be written, the job ends with status 2

 private:
  void check(bool good, const std::string& what) const;

  const char* flag_;
  const std::string path_;
  std::ofstream stream_;
};

class JobReport {
 public:
  /// Starts the wall time of the job, and opens the file of --report_json.
  explicit JobReport(const ReportOptions& options)
      : page_(options.page), file_("--report_json", options.report_json) {}

  void begin() { file_.begin(); }

  /// Prints the page and writes the file, on core 0. All cores call it while all modules exist.
  void write();

 private:
  const uint64_t begin_ns_ = steady_ns();  // before opening the file, which waits for other cores
  const bool page_;
  OutputFile file_;
};

}}  // namespace Grappa::detail
