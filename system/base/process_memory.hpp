#pragma once

/// The memory use of this process, as counted by the kernel.

#include <cstddef>
#include <string>

namespace Grappa {
namespace detail {

struct ProcessMemory {
  size_t resident_bytes = 0;  // current resident set; includes all shared pages
  size_t peak_bytes = 0;      // maximum resident set so far
};

/// A value that the kernel does not report is 0.
ProcessMemory process_memory();

/// Reads the values from `status`, a file in the format of /proc/self/status.
ProcessMemory process_memory_in(const std::string& status);

}  // namespace detail
}  // namespace Grappa
