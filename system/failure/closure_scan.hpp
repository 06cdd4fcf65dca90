#pragma once

/// The closure check of checked mode: finds addresses of this core in a closure that is sent.
///
/// The check compares every aligned word of the closure with the stacks of this core's workers and
/// of the thread, from the stack pointer up, and with the private memory of the process: malloc's
/// heap and mappings. Addresses that are the same on all cores are legal: code, file-scope objects
/// and the global heap with its symmetric objects (parallel/on_all_cores.hpp). Memory that the
/// cores of a locale share is legal, too.

namespace Grappa {
namespace detail {

/// Enables closure checks in this process if it runs in checked mode. Called by init after the
/// topology is known.
void start_closure_checks();

}  // namespace detail
}  // namespace Grappa
