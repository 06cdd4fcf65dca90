#pragma once

/// One word of memory for all cores of a machine: for what a machine does once, however many cores
/// it has, also when they are too broken to send messages.
///
/// It has no name and needs no care: it ends with the last process that maps it.

#include <atomic>
#include <cstdint>

namespace Grappa {
namespace detail {

/// Maps the word of this machine, which begins as zero, until the process ends. Pretended locales
/// do not matter. Null if the kernel keeps this core apart from the first one of its machine.
/// Called by all cores together, once the topology is known.
std::atomic<uint32_t>* map_machine_word();

}  // namespace detail
}  // namespace Grappa
