#include "bench/harness/machine.hpp"

#include "system/base/mapping.hpp"

#include <fstream>

#include <sys/utsname.h>
#include <unistd.h>

namespace bench {
namespace {

// Returns the text after the first "model name : ", or the architecture if the text is absent.
std::string cpu_model(const std::string& architecture) {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const size_t colon = line.find(": ");
    if (line.compare(0, 10, "model name") == 0 && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return architecture;
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
