#pragma once

/// The state of the machine at one moment: what to know before trusting, or comparing, a figure.

#include "bench/harness/ping_pong.hpp"

#include <string>

namespace bench {

struct Probes {
  double ping_pong_ns;  // half round trip of a cache line between two processors; 0: unknown
  double loop_ns;       // a fixed loop, which only the speed of the processor changes
  double stolen_s;      // since boot, on all processors: taken by other guests of the hardware
};

/// Takes some 10 ms, and at most 40 ms more where a processor is busy.
Probes probe(PingPong* ping_pong);

/// The stolen time that a text in the format of /proc/stat gives, in clock ticks; 0 without any.
long long stolen_ticks(const std::string& proc_stat);

}  // namespace bench
