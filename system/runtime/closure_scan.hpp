#pragma once

/// The search of checked mode: addresses of this core in a closure that travels.
///
/// Every aligned word of the closure is compared with the stacks of this core's workers and of the
/// thread, from the stack pointer up, and with the private memory of the process: malloc's heap and
/// mappings. What lies at one address on all cores is legal: code and objects of file scope, and
/// the global heap with symmetric objects in it (parallel/same_place.hpp). So is memory that is
/// shared between the cores of a locale.

namespace Grappa {
namespace detail {

/// Makes this process check closures from here on, if it runs in checked mode. To be called by init
/// when the topology is known.
void start_closure_checks();

}  // namespace detail
}  // namespace Grappa
