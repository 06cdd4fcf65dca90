#pragma once

/// What the suspended workers of the cores wait for, as a table for people.
///
/// Each core describes its own workers; core 0 puts the parts of all cores together. Workers that
/// wait for the same thing on the same core make one line, with the stack of one of them.

#include <string>
#include <vector>

namespace Grappa {
namespace detail {

/// This core's part: to be given to waiting_table() on core 0. Stacks are not symbolised yet: that
/// is slow, and one process can do it for all, since they run the same binary at the same place.
std::string waiting_part();

/// The table of the parts of some cores.
std::string waiting_table(const std::vector<std::string>& parts);

}  // namespace detail
}  // namespace Grappa
