#pragma once

/// The numbers of the report at the end of a job, apart from how they are shown.
///
/// Made of the counters of all cores and of what only the runtime knows; runtime/report_page writes
/// them for people and runtime/report_json for scripts.

#include "system/runtime/merged_metrics.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

/// What no counter tells of a job.
struct JobFacts {
  std::string program;
  uint64_t cores = 1;
  uint64_t locales = 1;
  uint64_t hosts = 1;
  double wall_seconds = 0;  // from init to finalize
  bool was_reset = false;   // the counters tell of a part of that only
};

struct ReportNumbers {
  /// What a core has spent its time on, in seconds (tasking/activity.hpp).
  struct Times {
    double running;
    double polling;
    double idle;
    double all() const { return running + polling + idle; }
  };

  /// Buffers that were sent, by reason.
  struct Buffers {
    uint64_t full = 0;
    uint64_t idle = 0;
    uint64_t awaited = 0;
    uint64_t aged = 0;
    uint64_t on_request = 0;
    uint64_t all() const { return full + idle + awaited + aged + on_request; }
  };

  /// One that the program defines, and that is not zero.
  struct ProgramMetric {
    std::string name;
    std::string value;
    std::string unit;
    std::string meaning;
  };

  JobFacts job;

  /// Seconds of which all that follows is told: those of the job or, after a Metrics::reset, since
  /// then, on the core where that is the longest.
  double counted_seconds() const;

  std::vector<Times> times;                // by core
  std::vector<uint64_t> messages_of_core;  // sent, by core
  uint64_t messages = 0;
  uint64_t message_bytes = 0;
  Buffers buffers;
  uint64_t tasks = 0;
  uint64_t tasks_stolen = 0;
  std::vector<uint64_t> workers_of_core;  // made, by core
  uint64_t operations = 0;                // on structures that combine, as all up to `additions`
  uint64_t commits = 0;
  uint64_t matched_pairs = 0;
  uint64_t duplicates = 0;
  uint64_t known = 0;
  uint64_t structure_messages = 0;
  uint64_t additions = 0;  // through fetch-and-add combiners
  uint64_t addition_batches = 0;
  uint64_t heap_bytes = 0;
  uint64_t heap_bytes_most = 0;
  uint64_t heap_bytes_resident = 0;
  uint64_t heap_bytes_reserved = 0;
  std::vector<uint64_t> resident_of_core;  // bytes of the process
  std::vector<uint64_t> peak_of_core;      // the same
  uint64_t stack_bytes = 0;
  uint64_t buffer_bytes_used = 0;  // by the core that has used most
  uint64_t buffer_bytes = 0;       // that it may use
  std::vector<ProgramMetric> program;
};

/// `all` are the metrics of all cores. Ends the job if one of the runtime's counters is missing;
/// those that tell of combining may be, in a program that has nothing which combines.
ReportNumbers report_numbers(const JobFacts& job, const std::vector<MergedMetric>& all);

/// The sum of what the cores have.
uint64_t sum_of(const std::vector<uint64_t>& of_cores);

/// Where values of cores lie. Of several that are the least or the most the first core is named.
template <class T>
struct CoreSpread {
  T min, median, max;  // the median of an even number is the lower of the two in the middle
  size_t min_core, max_core;
};

/// `of_cores` is not empty.
template <class T>
CoreSpread<T> spread_of(const std::vector<T>& of_cores);

extern template CoreSpread<double> spread_of(const std::vector<double>& of_cores);
extern template CoreSpread<uint64_t> spread_of(const std::vector<uint64_t>& of_cores);

}  // namespace detail
}  // namespace Grappa
