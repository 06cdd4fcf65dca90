#pragma once

/// The cores that own parts of a range of the global heap.

#include "system/global/block_cyclic.hpp"
#include "system/net/topology.hpp"

#include <algorithm>
#include <cstdint>

namespace Grappa {
namespace detail {

/// Calls visit(core) for each core that owns some of the `bytes` bytes from linear offset `begin`.
/// The order begins with the core after this core, because otherwise all cores would send their
/// first message to core 0. This core is the last.
template <class Visit>
void for_each_owner(uint64_t begin, uint64_t bytes, Visit visit) {
  if (bytes == 0) return;
  const uint64_t blocks = (begin + bytes - 1) / block_size - begin / block_size + 1;
  const int all = cores();
  const int owners = static_cast<int>(std::min<uint64_t>(blocks, static_cast<uint64_t>(all)));
  const int first = block_cyclic().core(begin);
  const int behind_me = (mycore() + 1 - first + all) % all;
  for (int k = 0; k < owners; ++k) {
    const int owner = (behind_me < owners ? behind_me + k : k) % owners;
    visit(static_cast<Core>((first + owner) % all));
  }
}

}  // namespace detail
}  // namespace Grappa
