#include "launcher/processors.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

namespace launcher {
namespace {

constexpr int kMostProcessors = CPU_SETSIZE;

cpu_set_t allowed_set() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) CPU_SET(0, &allowed);
  return allowed;
}

/// Returns the lowest processor number on the same physical core, or `processor` itself if the
/// kernel does not describe the topology.
int first_sibling(int processor) {
  const std::string path =
      "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/thread_siblings_list";
  std::FILE* const file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return processor;
  int first = processor;
  if (std::fscanf(file, "%d", &first) != 1) first = processor;
  std::fclose(file);
  return first;
}

}  // namespace

int allowed_processors() {
  const cpu_set_t allowed = allowed_set();
  return CPU_COUNT(&allowed);
}

std::vector<cpu_set_t> processors_of_cores(int cores) {
  const cpu_set_t allowed = allowed_set();
  if (cores > CPU_COUNT(&allowed)) return {};

  std::vector<std::pair<int, std::vector<int>>> physical;  // first sibling, allowed threads
  for (int processor = 0; processor < kMostProcessors; ++processor) {
    if (!CPU_ISSET(processor, &allowed)) continue;
    const int first = first_sibling(processor);
    const auto known = std::find_if(physical.begin(), physical.end(),
                                    [first](const auto& core) { return core.first == first; });
    if (known == physical.end()) {
      physical.push_back({first, {processor}});
    } else {
      known->second.push_back(processor);
    }
  }

  std::vector<cpu_set_t> sets;
  const auto add = [&sets](const int* processors, size_t n) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (size_t k = 0; k < n; ++k) CPU_SET(processors[k], &set);
    sets.push_back(set);
  };
  if (static_cast<size_t>(cores) <= physical.size()) {
    for (int core = 0; core < cores; ++core) {
      const std::vector<int>& threads = physical[static_cast<size_t>(core)].second;
      add(threads.data(), threads.size());
    }
    return sets;
  }
  for (size_t thread = 0; sets.size() < static_cast<size_t>(cores); ++thread) {
    for (const auto& core : physical) {
      if (thread < core.second.size() && sets.size() < static_cast<size_t>(cores)) {
        add(&core.second[thread], 1);
      }
    }
  }
  return sets;
}

}  // namespace launcher
