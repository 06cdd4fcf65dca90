#pragma once

/// The blocks of a saved graph (csr_format.hpp) that each core writes and reads: equal numbers of
/// consecutive blocks, and core 0 has the first ones.

#include "structures/graph/edge.hpp"
#include "structures/graph/file/csr_format.hpp"
#include "system/net/topology.hpp"

#include <algorithm>
#include <cstdint>

namespace Grappa {
namespace detail {

class CsrShares {
 public:
  explicit CsrShares(const CsrHeader& header)
      : nv_(header.nv),
        blocks_(header.blocks()),
        each_(std::max<int64_t>((blocks_ + cores() - 1) / cores(), 1)) {}

  int64_t first_block(Core core) const { return std::min(core * each_, blocks_); }
  int64_t end_block(Core core) const { return std::min((core + 1) * each_, blocks_); }
  VertexID first_vertex(Core core) const {
    return std::min(first_block(core) << kLogCsrBlock, nv_);
  }
  int64_t vertices(Core core) const {
    return std::min(end_block(core) << kLogCsrBlock, nv_) - first_vertex(core);
  }

  Core core_of(VertexID v) const { return static_cast<Core>((v >> kLogCsrBlock) / each_); }

 private:
  int64_t nv_;
  int64_t blocks_;
  int64_t each_;
};

}  // namespace detail
}  // namespace Grappa
