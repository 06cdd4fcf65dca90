#pragma once

/// The options of the reports and traces of a job.

#include <cstdint>
#include <string>

namespace Grappa { namespace detail {

struct ReportOptions {
  bool page = false;               // print the page at the end of the job
  std::string report_json;         // path of the file; empty: no file
  std::string trace;               // path of the trace file; empty: no file
  int64_t trace_interval_ms = 10;  // a curve has 6,000 points per minute

  int64_t trace_min_ns = 1000;  // shorter runs, handlers and waits have no own events

  /// Number of events that each core keeps for `trace`. An event takes 40 bytes in memory and about
  /// 150 bytes in the file. Trace viewers can load some hundred MB.
  int64_t trace_events = 100000;

  /// Records each switch of workers and each end of a task, not only switches at which the network
  /// is polled. If workers switch all the time, recording takes half of the time.
  bool trace_switches = false;
};

}}  // namespace Grappa::detail
