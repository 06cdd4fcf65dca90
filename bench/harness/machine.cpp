#include "bench/harness/machine.hpp"

#include "system/base/mapping.hpp"

#include <fstream>
#include <map>
#include <string>

#include <sys/utsname.h>
#include <unistd.h>

namespace bench {
namespace {

// Returns the name of the first processor, or the architecture if it has no name. Virtual machines
// hide the generation of the processor in the name, so the family and the model follow.
std::string cpu_model(const std::string& architecture) {
  std::ifstream file("/proc/cpuinfo");
  std::map<std::string, std::string> first;  // processor
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const size_t colon = line.find(": ");
    if (colon != std::string::npos) first[line.substr(0, line.find('\t'))] = line.substr(colon + 2);
  }
  if (first["model name"].empty()) return architecture;
  if (first["cpu family"].empty()) return first["model name"];
  return first["model name"] + " (family " + first["cpu family"] + ", model " + first["model"] +
         ")";
}

// The file lists all settings, with the current setting in brackets: "always [madvise] never".
std::string huge_page_setting() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string line;
  std::getline(file, line);
  const size_t first = line.find('[');
  const size_t last = line.find(']');
  if (first == std::string::npos || last == std::string::npos) return "";
  return line.substr(first + 1, last - first - 1);
}

}  // namespace

Machine this_machine(int ranks) {
  utsname system = {};
  ::uname(&system);
  Machine machine;
  machine.cpu = cpu_model(system.machine);
  machine.processors = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  machine.kernel = std::string(system.sysname) + " " + system.release;
  machine.memory_bytes = static_cast<int64_t>(Grappa::detail::physical_memory_bytes());
  machine.huge_pages = huge_page_setting();
  machine.compiler = GRAPPA_BENCH_COMPILER;
  machine.flags = GRAPPA_BENCH_FLAGS;
  machine.mpi = GRAPPA_BENCH_MPI;
  machine.ranks = ranks;
  return machine;
}

}  // namespace bench
