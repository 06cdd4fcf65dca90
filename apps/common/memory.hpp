#pragma once

/// The memory that this process uses, and the memory that is still available.

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

/// Available memory of this node, or of the memory limit of the control group if that is less.
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

/// The largest resident size of this process since reset_peak() or since its start.
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
