#pragma once

/// Data that this process inherits from the launcher of a job on one host (job_memory.hpp).

#include "system/base/ids.hpp"
#include "system/net/job_memory.hpp"

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

struct InheritedJob {
  JobMemory* memory = nullptr;  // null if the launcher did not start this process, or on an error
  Core core = 0;
  uint64_t identity = 0;  // unique among the jobs of this host
  std::string error;      // message for the user; empty if there is no error
};

/// Reads kJobVariable and maps the memory. The first call removes the variable from the environment
/// and closes the descriptor. Programs started by this process therefore do not join the job. The
/// runtime makes the first call before main.
const InheritedJob& inherited_job();

}  // namespace detail
}  // namespace Grappa
