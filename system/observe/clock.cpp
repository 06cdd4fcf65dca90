#include "system/observe/clock.hpp"

#include "system/base/check.hpp"

#include <chrono>
#include <thread>

namespace Grappa {
namespace detail {

const uint64_t* virtual_ns = nullptr;

}  // namespace detail

VirtualClock::VirtualClock(uint64_t start_ns) : now_ns_(start_ns) {
  GRAPPA_CHECK(detail::virtual_ns == nullptr) << "there is a virtual clock already";
  detail::virtual_ns = &now_ns_;
}

VirtualClock::~VirtualClock() { detail::virtual_ns = nullptr; }

uint64_t steady_ns() {
  if (detail::virtual_ns != nullptr) return *detail::virtual_ns;
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

double walltime() { return static_cast<double>(steady_ns()) * 1e-9; }

void sleep_thread_ns(uint64_t ns) {
  if (detail::virtual_ns != nullptr) return;
  std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
}

double ticks_per_ns() {
  if (detail::virtual_ns != nullptr) return 1;
  static const double rate = [] {
    constexpr uint64_t kCalibrationNs = 1000000;
    const uint64_t ns_before = steady_ns();
    const uint64_t ticks_before = ticks();
    uint64_t ns_after = ns_before;
    while (ns_after - ns_before < kCalibrationNs) ns_after = steady_ns();
    return static_cast<double>(ticks() - ticks_before) / static_cast<double>(ns_after - ns_before);
  }();
  return rate;
}

}  // namespace Grappa
