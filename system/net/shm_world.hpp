#pragma once

/// The World of a job on one host: its cores meet in the memory that the launcher has shared with
/// them (job_memory.hpp), and no MPI function is called.

#include "system/net/world.hpp"

#include <memory>

namespace Grappa {
namespace detail {

struct JobMemory;

/// `core` is this process.
std::unique_ptr<World> make_shm_world(JobMemory* memory, Core core);

/// A job of this process alone.
std::unique_ptr<World> make_shm_world();

}  // namespace detail
}  // namespace Grappa
