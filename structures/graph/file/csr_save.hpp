#pragma once

/// Writing a built graph to a file. Each entry of a list is sent to the core that writes the block
/// of its vertex (csr_share.hpp), and that core sorts the entries: building a graph works in the
/// same way. The lengths of the lists are sent too, since a block begins with the lengths. Then
/// every core computes the size and the offset of its part.

#include "structures/graph/csr/csr.hpp"
#include "system/global/address.hpp"

#include <string>

namespace Grappa {
namespace detail {

/// As try_save_csr, but returns "" or the problem, without the path.
std::string save_csr(GlobalAddress<Csr> csr, bool directed, const std::string& path);

}  // namespace detail
}  // namespace Grappa
