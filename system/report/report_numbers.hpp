#pragma once

/// The numbers of the report at the end of a job, without their presentation.
///
/// The numbers come from the counters of all cores and from facts that only the runtime has.
/// report/report_page formats them for users, report/report_json for scripts.

#include "system/report/merged_metrics.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

/// Facts about a job that no counter has.
struct JobFacts {
  std::string program;
  uint64_t cores = 1;
  uint64_t locales = 1;
  uint64_t hosts = 1;
  double wall_seconds = 0;  // from init to finalize
  bool was_reset = false;   // the counters cover a part of that time only
};

struct ReportNumbers {
  /// Seconds that a core has spent on each activity (tasking/activity.hpp).
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
    uint64_t latency_critical = 0;
    uint64_t aged = 0;
    uint64_t on_request = 0;
    uint64_t all() const { return full + idle + latency_critical + aged + on_request; }
  };

  /// A metric of the program that is not zero.
  struct ProgramMetric {
    std::string name;
    std::string value;
    std::string unit;
    std::string meaning;
  };

  JobFacts job;

  /// The seconds that the counters cover: the wall time of the job or, after a Metrics::reset, the
  /// time since the reset, maximum over the cores.
  double counted_seconds() const;

  std::vector<Times> times;                // by core
  std::vector<uint64_t> messages_of_core;  // sent, by core
  uint64_t messages = 0;
  uint64_t message_bytes = 0;
  Buffers buffers;
  uint64_t tasks = 0;
  uint64_t tasks_stolen = 0;
  std::vector<uint64_t> workers_of_core;  // created, by core
  uint64_t operations = 0;                // on combining structures, like the next five numbers
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
  std::vector<uint64_t> peak_of_core;      // peak bytes of the process
  uint64_t stack_bytes = 0;
  uint64_t buffer_bytes_used = 0;  // by the core that has used the most
  uint64_t buffer_bytes = 0;       // limit of a core
  std::vector<ProgramMetric> program;
};

/// `all` are the metrics of all cores. Aborts the job if a counter of the runtime is missing. The
/// counters of combining are missing in a program without a combining structure.
ReportNumbers report_numbers(const JobFacts& job, const std::vector<MergedMetric>& all);

/// The sum over all cores.
uint64_t sum_of(const std::vector<uint64_t>& of_cores);

/// The distribution of a value over the cores. min_core and max_core are the first such cores.
template <class T>
struct CoreSpread {
  T min, median, max;  // the median of an even number of cores is the lower one
  size_t min_core, max_core;
};

/// `of_cores` must not be empty.
template <class T>
CoreSpread<T> spread_of(const std::vector<T>& of_cores);

extern template CoreSpread<double> spread_of(const std::vector<double>& of_cores);
extern template CoreSpread<uint64_t> spread_of(const std::vector<uint64_t>& of_cores);

}  // namespace detail
}  // namespace Grappa
