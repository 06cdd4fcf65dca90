#pragma once

/// The state of the machine at one time. It shows whether figures are reliable and comparable.

#include "bench/harness/ping_pong.hpp"

#include <string>

namespace bench {

struct Probes {
  double ping_pong_ns;  // half round trip of a cache line between two processors; 0 if unknown
  double loop_ns;       // time of a fixed loop, which depends only on the speed of the processor
  double stolen_s;      // time taken by other guests, since boot, over all processors
};

/// Probes the machine. Takes about 10 ms, and at most 40 ms more if a processor is busy.
Probes probe(PingPong* ping_pong);

/// Returns the stolen time, in clock ticks, from a text in the format of /proc/stat; 0 if absent.
long long stolen_ticks(const std::string& proc_stat);

}  // namespace bench
