#pragma once

/// The options of all modules for one run of a program.

#include "system/global/options.hpp"
#include "system/message/options.hpp"
#include "system/net/options.hpp"
#include "system/parallel/options.hpp"
#include "system/report/options.hpp"
#include "system/tasking/options.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

struct RuntimeOptions {
  TaskingOptions tasking;
  NetOptions net;
  MessageOptions message;
  GlobalOptions global;
  ParallelOptions parallel;
  ReportOptions report;

  /// How long a core has nothing to do but wait for messages before it checks whether the job is
  /// deadlocked.
  int64_t deadlock_check_ms = 100;
};

}  // namespace detail
}  // namespace Grappa
