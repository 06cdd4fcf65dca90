#pragma once

/// The memory limits of this process: physical memory, control groups and ulimit.

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

}  // namespace detail
}  // namespace Grappa
