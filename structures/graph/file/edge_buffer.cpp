#include "structures/graph/file/edge_buffer.hpp"

#include "system/base/mapping.hpp"
#include "system/parallel/bulk.hpp"

#include <algorithm>

namespace Grappa {
namespace detail {

EdgeBuffer::~EdgeBuffer() {
  for (; moved_ < chunks_.size(); ++moved_) {
    unmap(chunks_[moved_], kChunkEdges * sizeof(TupleEdge));
  }
}

void EdgeBuffer::add_chunk() {
  chunks_.push_back(static_cast<TupleEdge*>(map_private(kChunkEdges * sizeof(TupleEdge))));
}

int64_t EdgeBuffer::move_some(GlobalAddress<TupleEdge> edges, int64_t start) {
  int64_t done = 0;
  while (done < kMoveEdges && size_ > 0) {
    const int64_t count = std::min<int64_t>(kChunkEdges, size_);
    memcpy(edges + (start + done), chunks_[moved_], count);
    unmap(chunks_[moved_++], kChunkEdges * sizeof(TupleEdge));
    done += count;
    size_ -= count;
  }
  return done;
}

}  // namespace detail
}  // namespace Grappa
