#pragma once

/// What a figure was measured on, and with what.

#include <cstdint>
#include <string>

namespace bench {

struct Machine {
  std::string cpu;
  int processors = 0;  // that are online
  std::string kernel;
  int64_t memory_bytes = 0;
  std::string huge_pages;  // always, madvise or never; empty if the kernel has none
  std::string compiler;
  std::string flags;  // of the compiler, for our own targets; without those that only warn
  std::string mpi;
  int ranks = 0;  // processes of the job
};

Machine this_machine(int ranks);

}  // namespace bench
