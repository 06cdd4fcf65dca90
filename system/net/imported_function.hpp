#pragma once

#include <string>

namespace Grappa {
namespace detail {

/// Returns the name of a function, beginning with `prefix`, that the executable imports; empty if
/// it imports no such function. Imports of its shared libraries do not count.
std::string imported_function(const char* prefix);

}  // namespace detail
}  // namespace Grappa
