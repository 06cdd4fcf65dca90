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
  return n - 3;  // minus ".", ".." and the descriptor of the folder
}

struct Limit {
  __rlimit_resource resource;
  rlim_t needed;
  rlim_t unit;  // unit of printed numbers, equal to the unit of `ulimit`
  const char* what;
  const char* option;  // the option of `ulimit`
};

void require(const Limit& limit, const std::string& job) {
  rlimit now;
  if (::getrlimit(limit.resource, &now) != 0 || now.rlim_cur >= limit.needed) return;
  now.rlim_cur = limit.needed;
  if (limit.needed <= now.rlim_max && ::setrlimit(limit.resource, &now) == 0) return;
  refuse(job + " needs " + std::to_string((limit.needed + limit.unit - 1) / limit.unit) + " " +
         limit.what + ", but the hard limit is " + std::to_string(now.rlim_max / limit.unit) +
         ": raise the limit (ulimit " + limit.option + ")");
}

}  // namespace

void prepare_limits(int cores) {
  const std::string job = "a job of " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
  const rlim_t n = static_cast<rlim_t>(cores);
  // The launcher has two pipes per core. A core briefly opens the memory of every other core.
  require({RLIMIT_NOFILE, open_descriptors() + 16 + 2 * n, 1, "file descriptors", "-n"}, job);
  require({RLIMIT_STACK, 256 * KiB, KiB, "KiB of stack for each process", "-s"}, job);
  // Minimum for the program hello, measured in steps of 4 MiB. Above this minimum, the runtime
  // adapts the global heap to the limit and reports what does not fit.
  require({RLIMIT_AS, (cores == 1 ? 64 : 160 + 16 * n) * MiB, KiB,
           "KiB of address space for each process", "-v"},
          job);
  require({RLIMIT_DATA, (cores == 1 ? 32 : 128) * MiB, KiB, "KiB of data for each process", "-d"},
          job);
  // The file size limit also applies to the memory that cores share.
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
