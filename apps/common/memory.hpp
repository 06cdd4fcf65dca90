#pragma once

/// The memory that this process uses, and the memory that is still available.

#include "system/base/mapping.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace apps {

inline double resident_bytes() { return double(Grappa::detail::process_memory().resident_bytes); }

/// The largest resident size of this process since reset_peak() or since its start.
inline double peak_resident_bytes() { return double(Grappa::detail::process_memory().peak_bytes); }

inline void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

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

}  // namespace apps
