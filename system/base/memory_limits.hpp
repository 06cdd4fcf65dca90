#pragma once

/// The memory limits of this process (physical memory, control groups and ulimit), and its memory
/// use as counted by the kernel.

#include <cstddef>
#include <string>

namespace Grappa {
namespace detail {

/// Returns the bytes of memory available to this process: the physical memory of the machine, or
/// the lowest limit of the control groups of the process if that limit is lower.
size_t physical_memory_bytes();

/// Returns the bytes of private memory that this process may still map (ulimit -v and -d), or the
/// maximum of size_t if there is no limit.
size_t address_space_left();

/// Returns the lowest memory limit of the control groups listed in `membership`, a file like
/// /proc/self/cgroup, and of their parent groups; the maximum of size_t if there is no limit. The
/// files of the groups (version 1 or 2) are below `root`.
size_t control_group_limit(const std::string& membership, const std::string& root);

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
