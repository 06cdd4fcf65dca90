#pragma once

/// Writing a built graph to a file. Lists go to the core that writes their block (csr_share.hpp)
/// as entries go to the core that owns their vertex when a graph is built: each by itself, to be
/// sorted there. Their lengths go too, since a block begins with them. Every core then knows how
/// many bytes it has, and where they begin.

#include "structures/graph/csr.hpp"
#include "system/global/address.hpp"

#include <string>

namespace Grappa {
namespace detail {

/// try_save_csr, but returns "" or what is wrong, without the path.
std::string save_csr(GlobalAddress<Csr> csr, bool directed, const std::string& path);

}  // namespace detail
}  // namespace Grappa
