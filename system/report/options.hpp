#pragma once

/// The options of the reports and traces of a job.

#include <cstdint>
#include <string>

namespace Grappa { namespace detail {

struct ReportOptions {
  bool page = false;               // print the page at the end of the job
  std::string report_json;         // path of the file; empty: no file
  std::string trace;               // likewise
  int64_t trace_interval_ms = 10;  // 6,000 points of a curve per minute

  int64_t trace_min_ns = 1000;  // shorter runs, handlers and waits get no event of their own

  /// Events that each core keeps for `trace`. An event takes 40 bytes in memory and about 150 bytes
  /// in the file. Trace viewers can load some hundred MB.
  int64_t trace_events = 100000;

  /// Records each switch of workers and each end of a task, not only switches at which the network
  /// is polled. The trace takes half of the time if workers switch all the time.
  bool trace_switches = false;
};

}}  // namespace Grappa::detail
