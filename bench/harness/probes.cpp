#include "bench/harness/probes.hpp"

#include "apps/common/statistics.hpp"
#include "bench/harness/keep.hpp"
#include "system/observe/clock.hpp"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <vector>

#include <unistd.h>

namespace bench {
namespace {

constexpr int kLoops = 9;
constexpr int kLoopSteps = 1 << 18;  // takes at most a millisecond

// Each step depends on the previous one, so only the latency of its two operations counts.
// (D. Knuth, "The Art of Computer Programming" 2, 3rd edition, 3.3.4, line 26.)
double loop_ns() {
  const uint64_t start = Grappa::detail::steady_ns();
  uint64_t x = start;
  for (int k = 0; k < kLoopSteps; ++k) x = x * 6364136223846793005u + 1;
  keep(x);
  return static_cast<double>(Grappa::detail::steady_ns() - start);
}

}  // namespace

long long stolen_ticks(const std::string& proc_stat) {
  std::istringstream line(proc_stat);
  std::string cpu;
  long long user, nice, system, idle, iowait, irq, softirq, steal = 0;
  line >> cpu >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal;
  return cpu == "cpu" ? steal : 0;
}

Probes probe(PingPong* ping_pong) {
  Probes probes = {0, 0, 0};
  probes.ping_pong_ns = ping_pong->half_round_trip_ns();
  std::vector<double> loops;
  for (int k = 0; k < kLoops; ++k) loops.push_back(loop_ns());
  probes.loop_ns = apps::summarize(loops).median;
  std::ifstream file("/proc/stat");
  std::string line;
  std::getline(file, line);
  probes.stolen_s =
      static_cast<double>(stolen_ticks(line)) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return probes;
}

}  // namespace bench
