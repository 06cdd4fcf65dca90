#pragma once

/// The World of a job that an MPI launcher has started, on any number of hosts.

#include "system/net/world.hpp"

#include <memory>

namespace Grappa {
namespace detail {

/// Starts MPI. Destroying the world ends MPI.
std::unique_ptr<World> make_mpi_world(int* argc, char** argv[]);

}  // namespace detail
}  // namespace Grappa
