#pragma once

/// One word of memory shared by all cores of a machine. The word coordinates actions that happen
/// once per machine, even when the cores can no longer send messages.
///
/// The memory has no name. The kernel frees it when the last process that maps it ends.

#include <atomic>
#include <cstdint>

namespace Grappa {
namespace detail {

/// Maps the word of this machine until the process ends. The word is initially zero. Simulated
/// locales (cores_per_locale) have no effect. Returns null if the kernel isolates this core from
/// the first core of its machine. All cores must call it together, after the topology is known.
std::atomic<uint32_t>* map_machine_word();

}  // namespace detail
}  // namespace Grappa
