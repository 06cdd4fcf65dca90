#pragma once

/// The knobs of all rooms, as one run of a program sets them.

#include "system/global/options.hpp"
#include "system/message/options.hpp"
#include "system/net/options.hpp"
#include "system/parallel/options.hpp"
#include "system/tasking/options.hpp"

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

struct RuntimeOptions {
  TaskingOptions tasking;
  NetOptions net;
  MessageOptions message;
  GlobalOptions global;
  ParallelOptions parallel;
  bool report = false;

  /// How long a core has nothing to do and nothing to wait for but messages before it asks whether
  /// all cores have.
  int64_t deadlock_check_ms = 100;
  std::string metrics_json;        // a path; empty: none is written
  std::string report_json;         // the same
  std::string trace;               // the same
  std::string trace_file;          // the same
  int64_t trace_interval_ms = 10;  // some thousand points of a curve in a run of a minute

  /// Events that each core keeps for `trace`: 40 bytes each while it runs and some 150 in the file,
  /// of which viewers take some hundred MB.
  int64_t trace_events = 100000;

  /// What is shorter gets no event of its own in `trace`.
  int64_t trace_min_ns = 1000;

  /// `trace` tells of each switch of workers and each end of a task, which may take half of the
  /// time where they switch all the time; not only of those at which the network is polled.
  bool trace_switches = false;
};

}  // namespace detail
}  // namespace Grappa
