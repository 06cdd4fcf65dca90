#pragma once

/// How much memory there is for this process, by the machine and by those who run it.

#include <cstddef>
#include <string>

namespace Grappa {
namespace detail {

/// Bytes of memory this machine has for this process: physical, or the lowest limit of the control
/// groups that it is in.
size_t physical_memory_bytes();

/// Bytes of private memory that this process may map besides what it has mapped (ulimit -v and -d).
/// The largest number if there is no limit.
size_t address_space_left();

/// The lowest limit of the groups that `membership`, a file as /proc/self/cgroup, names and of
/// those around them, of version 1 and 2, whose files lie below `root`. The largest number if there
/// is none.
size_t control_group_limit(const std::string& membership, const std::string& root);

}  // namespace detail
}  // namespace Grappa
