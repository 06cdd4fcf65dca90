#pragma once

/// The knobs of all rooms, as one run of a program sets them.

#include "system/global/options.hpp"
#include "system/message/options.hpp"
#include "system/net/options.hpp"
#include "system/parallel/options.hpp"
#include "system/tasking/options.hpp"

namespace Grappa {

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
};

}  // namespace Grappa
