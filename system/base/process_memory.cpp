#include "system/base/process_memory.hpp"

#include "system/base/units.hpp"

#include <fstream>
#include <sstream>

namespace Grappa {
namespace detail {

ProcessMemory process_memory_in(const std::string& status) {
  ProcessMemory memory;
  std::ifstream file(status);
  for (std::string line; std::getline(file, line);) {  // name: number kB
    std::istringstream words(line);
    std::string name;
    size_t kib = 0;
    if (!(words >> name >> kib)) continue;
    if (name == "VmRSS:") memory.resident_bytes = kib * KiB;
    if (name == "VmHWM:") memory.peak_bytes = kib * KiB;
  }
  return memory;
}

ProcessMemory process_memory() { return detail::process_memory_in("/proc/self/status"); }

}  // namespace detail
}  // namespace Grappa
