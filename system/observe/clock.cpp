#include "system/observe/clock.hpp"

#include "system/base/check.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace Grappa::detail {

VirtualTime* virtual_time = nullptr;
WorkDone work_done;

VirtualClock::VirtualClock(uint64_t start_ns) : now_ns_(start_ns), before_(virtual_time) {
  virtual_time = this;
}

VirtualClock::~VirtualClock() { virtual_time = before_; }

uint64_t steady_ns() {
  if (virtual_time != nullptr) return virtual_time->now_ns();
  const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(now.count());
}

void sleep_thread_ns(uint64_t ns) {
  if (virtual_time != nullptr) return;
  std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
}

/// Reads steady_ns() and ticks() at nearly the same moment. The shortest of several tries is used.
static std::pair<uint64_t, uint64_t> read_both() {
  constexpr int kTries = 16;
  std::pair<uint64_t, uint64_t> best;
  uint64_t shortest = ~uint64_t{0};
  for (int k = 0; k < kTries; ++k) {
    const uint64_t before = steady_ns(), counter = ticks(), after = steady_ns();
    if (after - before >= shortest) continue;
    shortest = after - before;
    best = {before, counter};
  }
  return best;
}

double ticks_per_ns() {
  if (virtual_time != nullptr) return 1;
  static const double rate = [] {
    constexpr uint64_t kCalibrationNs = 1000000;
    const auto before = read_both();
    auto after = before;
    while (after.first - before.first < kCalibrationNs) after = read_both();
    return static_cast<double>(after.second - before.second) /
           static_cast<double>(after.first - before.first);
  }();
  return rate;
}

}  // namespace Grappa::detail

double Grappa::walltime() { return static_cast<double>(detail::steady_ns()) * 1e-9; }
