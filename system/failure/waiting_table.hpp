#pragma once

/// A table of what the suspended workers of the cores wait for.
///
/// Each core describes its own workers, and core 0 merges the parts of all cores. Workers that
/// wait for the same thing on the same core make one line, with the stack of one of them.

#include <string>
#include <vector>

namespace Grappa {
namespace detail {

/// The part of this core, for waiting_table() on core 0. Stacks are not symbolised yet: symbolising
/// is slow, and core 0 can do it for all cores, because all run the same binary at one address.
std::string waiting_part();

/// Merges the parts of some cores into a table.
std::string waiting_table(const std::vector<std::string>& parts);

}  // namespace detail
}  // namespace Grappa
