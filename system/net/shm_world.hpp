#pragma once

/// The World of a job on one host. The cores communicate through the memory that the launcher
/// shares with them (job_memory.hpp). No MPI function is called.

#include "system/net/world.hpp"

#include <memory>

namespace Grappa {
namespace detail {

struct JobMemory;

/// `core` is the number of this process in the job.
std::unique_ptr<World> make_shm_world(JobMemory* memory, Core core);

/// Creates a job that consists of this process only.
std::unique_ptr<World> make_shm_world();

}  // namespace detail
}  // namespace Grappa
