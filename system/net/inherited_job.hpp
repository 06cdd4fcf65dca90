#pragma once

/// What the launcher of a job on one host has given to this process (job_memory.hpp).

#include "system/base/ids.hpp"
#include "system/net/job_memory.hpp"

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

struct InheritedJob {
  JobMemory* memory = nullptr;  // null if the launcher did not start this process, or on an error
  Core core = 0;
  uint64_t identity = 0;  // of this job among all jobs of the host
  std::string error;      // a sentence for a person, or empty
};

/// Reads kJobVariable and maps the memory. The first call removes the variable from the environment
/// and closes the descriptor, so that programs which this process starts do not take themselves
/// for cores. The runtime makes that call before main.
const InheritedJob& inherited_job();

}  // namespace detail
}  // namespace Grappa
