#pragma once

/// The memory that this process uses, and the memory that is still available.

#include "system/base/mapping.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace apps {

inline double resident_bytes() { return double(Grappa::detail::process_memory().resident_bytes); }

/// Returns the largest resident size of this process since the last reset_peak() or the start.
inline double peak_resident_bytes() { return double(Grappa::detail::process_memory().peak_bytes); }

inline void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

/// Returns the available memory of this node or within the limit of the control group: the minimum.
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
