#include "system/base/memory_limits.hpp"

#include "system/base/mapping.hpp"
#include "system/base/units.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include <sys/resource.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

constexpr size_t kNoLimit = std::numeric_limits<size_t>::max();

size_t limit_in(const std::string& path) {
  std::ifstream file(path);
  size_t limit = 0;
  return file >> limit ? limit : kNoLimit;  // the file contains "max" if there is no limit
}

}  // namespace

size_t control_group_limit(const std::string& membership, const std::string& root) {
  size_t limit = kNoLimit;
  std::ifstream groups(membership);
  for (std::string line; std::getline(groups, line);) {  // number:controllers:/path
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool second_version = controllers.empty();
    if (!second_version && (',' + controllers + ',').find(",memory,") == std::string::npos)
      continue;
    const std::string folder = second_version ? root : root + "/memory";
    const char* const name = second_version ? "/memory.max" : "/memory.limit_in_bytes";
    // In a container the path may name a group of the host and not exist: read the parent folders,
    // too.
    for (std::string path = line.substr(second + 1);; path.erase(path.rfind('/'))) {
      limit = std::min(limit, limit_in(folder + path + name));
      if (path.find('/') == std::string::npos) break;
    }
  }
  return limit;
}

size_t physical_memory_bytes() {
  const size_t machine = static_cast<size_t>(::sysconf(_SC_PHYS_PAGES)) * page_bytes();
  return std::min(machine, detail::control_group_limit("/proc/self/cgroup", "/sys/fs/cgroup"));
}

size_t address_space_left() {
  // Columns of /proc/self/statm: pages[0] is the mapped pages, pages[5] the private writable pages.
  size_t pages[6] = {};
  std::ifstream file("/proc/self/statm");
  for (size_t& number : pages) file >> number;
  const auto left = [](__rlimit_resource resource, size_t used_pages) {
    rlimit limit;
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
    const size_t used = used_pages * page_bytes();
    return limit.rlim_cur > used ? static_cast<size_t>(limit.rlim_cur) - used : 0;
  };
  return std::min(left(RLIMIT_AS, pages[0]), left(RLIMIT_DATA, pages[5]));
}

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

ProcessMemory process_memory() { return process_memory_in("/proc/self/status"); }

}  // namespace Grappa::detail
