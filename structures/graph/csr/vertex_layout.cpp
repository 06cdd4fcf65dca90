#include "structures/graph/csr/vertex_layout.hpp"

#include "system/base/bits.hpp"
#include "system/base/check.hpp"

#include <algorithm>

namespace Grappa {
namespace detail {
namespace {

constexpr int kFewestIndexBits = 6;  // one word of a bitmap

}  // namespace

VertexLayout::VertexLayout(int64_t nv, size_t vertex_bytes)
    : nv_(nv),
      cores_(block_cyclic().cores()),
      log_bytes_(floor_log2(vertex_bytes)),
      log_in_block_(floor_log2(block_size) - log_bytes_) {
  GRAPPA_DCHECK(is_power_of_two(vertex_bytes) && vertex_bytes <= size_t{block_size});
  GRAPPA_CHECK(nv >= 0 && nv <= int64_t{1} << (62 - log_bytes_))
      << "invalid graph of " << nv << " vertices, expected 0 to 2^" << 62 - log_bytes_;
  const uint64_t most = static_cast<uint64_t>(std::max<int64_t>(vertices_of(0), 1));
  index_bits_ = std::max(kFewestIndexBits, floor_log2(next_power_of_two(most)));
}

int64_t VertexLayout::vertices_of(Core core) const {
  const int64_t in_block = static_cast<int64_t>(block_size) >> log_bytes_;
  const int64_t blocks = nv_ / in_block;
  const int64_t cores = block_cyclic().cores();
  const int64_t whole = blocks / cores + (core < blocks % cores ? 1 : 0);
  return whole * in_block + (core == blocks % cores ? nv_ % in_block : 0);
}

}  // namespace detail
}  // namespace Grappa
