#include "structures/graph/edge_buffer.hpp"

#include "system/global/delegate_async.hpp"
#include "system/parallel/finish_scope.hpp"

namespace Grappa {
namespace {

constexpr int64_t kBlockEdges = int64_t(block_size) / int64_t(sizeof(TupleEdge));

// Edges of one block of the global heap: they have one owner and lie side by side there.
struct EdgeBlock {
  TupleEdge edge[kBlockEdges];
  int64_t count;
};

}  // namespace

void EdgeBuffer::write_to(GlobalAddress<TupleEdge> edges, int64_t start) const {
  finish([this, edges, start] {
    EdgeBlock block;
    for (int64_t i = 0; i < size_; i += block.count) {
      const int64_t room = kBlockEdges - (start + i) % kBlockEdges;
      block.count = room < size_ - i ? room : size_ - i;
      for (int64_t k = 0; k < block.count; ++k) block.edge[k] = (*this)[i + k];
      delegate::call<async>(edges + (start + i), [block](TupleEdge& first) {
        TupleEdge* to = &first;
        for (int64_t k = 0; k < block.count; ++k) to[k] = block.edge[k];
      });
    }
  });
}

}  // namespace Grappa
