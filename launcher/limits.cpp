#include "launcher/limits.hpp"

#include "launcher/usage.hpp"

#include <cstdio>
#include <string>

#include <dirent.h>
#include <sys/resource.h>

namespace launcher {
namespace {

constexpr rlim_t KiB = 1024;
constexpr rlim_t MiB = 1024 * KiB;

rlim_t open_descriptors() {
  DIR* const folder = ::opendir("/proc/self/fd");
  if (folder == nullptr) return 3;
  rlim_t n = 0;
  while (::readdir(folder) != nullptr) ++n;
  ::closedir(folder);
  return n - 3;  // ".", ".." and this folder
}

struct Limit {
  __rlimit_resource resource;
  rlim_t needed;
  rlim_t unit;  // of the numbers that are printed, as `ulimit` has it
  const char* what;
  const char* option;  // of `ulimit`
};

/// Raises the soft limit if it is too low. Refuses the job if the hard limit is.
void require(const Limit& limit, const std::string& job) {
  rlimit now;
  if (::getrlimit(limit.resource, &now) != 0 || now.rlim_cur >= limit.needed) return;
  now.rlim_cur = limit.needed;
  if (limit.needed <= now.rlim_max && ::setrlimit(limit.resource, &now) == 0) return;
  refuse(job + " needs " + std::to_string((limit.needed + limit.unit - 1) / limit.unit) + " " +
         limit.what + ", but the hard limit is " + std::to_string(now.rlim_max / limit.unit) +
         ": raise it (ulimit " + limit.option + ")");
}

}  // namespace

void prepare_limits(int cores) {
  const std::string job = "a job of " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
  const rlim_t n = static_cast<rlim_t>(cores);
  // This process has two for each core; a core opens the memory of each other one for a moment.
  require({RLIMIT_NOFILE, open_descriptors() + 16 + 2 * n, 1, "file descriptors", "-n"}, job);
  require({RLIMIT_STACK, 256 * KiB, KiB, "KiB of stack for each process", "-s"}, job);
  // Measured with the program hello, in steps of 4 MiB. With more the runtime fits the global heap
  // to the limit, and reports what does not fit.
  require({RLIMIT_AS, (cores == 1 ? 64 : 160 + 16 * n) * MiB, KiB,
           "KiB of address space for each process", "-v"},
          job);
  require({RLIMIT_DATA, (cores == 1 ? 32 : 128) * MiB, KiB, "KiB of data for each process", "-d"},
          job);
  // The memory that cores share has the limit of a file.
  require({RLIMIT_FSIZE, 64 * MiB, KiB, "KiB of shared memory for each process", "-f"}, job);
}

long killed_for_memory() {
  std::FILE* const file = std::fopen("/proc/vmstat", "re");
  if (file == nullptr) return -1;
  char line[128];
  long killed = -1;
  while (killed < 0 && std::fgets(line, sizeof line, file) != nullptr) {
    if (std::sscanf(line, "oom_kill %ld", &killed) != 1) killed = -1;
  }
  std::fclose(file);
  return killed;
}

}  // namespace launcher
