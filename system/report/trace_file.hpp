#pragma once

/// The file of --trace: the samples and events of all cores.

#include "system/observe/event_log.hpp"
#include "system/observe/trace.hpp"
#include "system/report/job_report.hpp"

#include <memory>

namespace Grappa { namespace detail {

class TraceFile : public OutputFile {
 public:
  /// If `options.trace` is not empty, opens the file and starts recording events. Must run before
  /// the constructor of the scheduler, which checks whether the event log exists.
  explicit TraceFile(const ReportOptions& options);
  ~TraceFile();

  Trace& samples() { return samples_; }
  EventLog& events() { return *events_; }

  void stop();  // stops recording

  /// Called after recording has ended. Fetches the events and samples of each core and writes them.
  /// If a core is on another machine, round-trip messages compare its clock with this core's clock.
  /// From: task, on core 0. Suspends: for each answer.
  void write();

 private:
  Trace samples_;
  std::unique_ptr<EventLog> events_;
};

extern TraceFile* the_trace_file;  // null without --trace

}}  // namespace Grappa::detail
