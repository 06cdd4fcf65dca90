#pragma once

/// What memory this process has, and how much a benchmark can still take: figures that need more
/// are omitted.

#include "system/base/mapping.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

namespace bench {

inline double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  int64_t total = 0, resident = 0;
  file >> total >> resident;
  return double(resident) * double(Grappa::page_bytes());
}

/// Of this machine, or of what is left of our control group's limit.
inline double available_bytes() {
  double available = double(Grappa::physical_memory_bytes()) - resident_bytes();
  std::ifstream file("/proc/meminfo");
  std::string key, rest;
  double kib = 0;
  while (file >> key >> kib && std::getline(file, rest)) {
    if (key == "MemAvailable:") available = std::min(available, kib * 1024);
  }
  return available;
}

}  // namespace bench
