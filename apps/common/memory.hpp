#pragma once

/// What memory this process has, and how much it can still take: a program that needs more says so
/// before it begins.

#include "system/base/mapping.hpp"
#include "system/base/memory_limits.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

namespace apps {

inline double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  int64_t total = 0, resident = 0;
  file >> total >> resident;
  return double(resident) * double(Grappa::detail::page_bytes());
}

/// Of this machine, or of what is left of our control group's limit.
inline double available_bytes() {
  double available = double(Grappa::detail::physical_memory_bytes()) - resident_bytes();
  std::ifstream file("/proc/meminfo");
  std::string key, rest;
  double kib = 0;
  while (file >> key >> kib && std::getline(file, rest)) {
    if (key == "MemAvailable:") available = std::min(available, kib * 1024);
  }
  return available;
}

/// The largest that this process has been since reset_peak(), or since it began.
inline double peak_resident_bytes() {
  std::ifstream file("/proc/self/status");
  std::string key, rest;
  double kib = 0;
  while (file >> key && key != "VmHWM:") std::getline(file, rest);
  file >> kib;
  return kib * 1024;
}

inline void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace apps
