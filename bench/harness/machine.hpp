#pragma once

/// The machine and the software of a measurement.

#include <cstdint>
#include <string>

namespace bench {

struct Machine {
  std::string cpu;
  int processors = 0;  // number of online processors
  std::string kernel;
  int64_t memory_bytes = 0;
  std::string huge_pages;  // always, madvise or never; empty if the kernel has no huge pages
  std::string compiler;
  std::string flags;  // compiler flags of the targets of Grappa, without warning flags
  std::string mpi;
  int ranks = 0;  // processes of the job
};

Machine this_machine(int ranks);

}  // namespace bench
