#include "system/observe/clock.hpp"

#include "system/base/check.hpp"

#include <chrono>
#include <thread>

namespace Grappa {
namespace detail {

const uint64_t* virtual_ns = nullptr;

VirtualClock::VirtualClock(uint64_t start_ns) : now_ns_(start_ns) {
  GRAPPA_CHECK(detail::virtual_ns == nullptr) << "a VirtualClock already exists";
  detail::virtual_ns = &now_ns_;
}

VirtualClock::~VirtualClock() { detail::virtual_ns = nullptr; }

uint64_t steady_ns() {
  if (detail::virtual_ns != nullptr) return *detail::virtual_ns;
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

void sleep_thread_ns(uint64_t ns) {
  if (detail::virtual_ns != nullptr) return;
  std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
}

namespace {

struct BothClocks {
  uint64_t ns;
  uint64_t ticks;
};

/// Reads both clocks at nearly the same moment. The shortest of several tries is used, because the
/// process may be descheduled between two reads.
BothClocks read_both() {
  constexpr int kTries = 16;
  BothClocks best = {0, 0};
  uint64_t shortest = ~uint64_t{0};
  for (int k = 0; k < kTries; ++k) {
    const uint64_t before = steady_ns(), counter = ticks(), after = steady_ns();
    if (after - before >= shortest) continue;
    shortest = after - before;
    best = BothClocks{before, counter};
  }
  return best;
}

}  // namespace

double ticks_per_ns() {
  if (detail::virtual_ns != nullptr) return 1;
  static const double rate = [] {
    constexpr uint64_t kCalibrationNs = 1000000;
    const BothClocks before = read_both();
    BothClocks after = before;
    while (after.ns - before.ns < kCalibrationNs) after = read_both();
    return static_cast<double>(after.ticks - before.ticks) /
           static_cast<double>(after.ns - before.ns);
  }();
  return rate;
}

}  // namespace detail

double walltime() { return static_cast<double>(detail::steady_ns()) * 1e-9; }

}  // namespace Grappa
