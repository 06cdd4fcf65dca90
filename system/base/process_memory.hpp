#pragma once

/// What memory this process takes, as the kernel counts it.

#include <cstddef>
#include <string>

namespace Grappa {
namespace detail {

struct ProcessMemory {
  size_t resident_bytes = 0;  // in memory now; pages that processes share count in each
  size_t peak_bytes = 0;      // the same at its highest so far
};

/// 0 for what the kernel does not say.
ProcessMemory process_memory();

/// The same from a file as /proc/self/status.
ProcessMemory process_memory_in(const std::string& status);

}  // namespace detail
}  // namespace Grappa
