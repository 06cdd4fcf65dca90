#include "apps/cc/serial_components.hpp"

#include "apps/common/memory.hpp"
#include "system/net/topology.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace cc {
namespace {

using Grappa::GlobalAddress;
using Grappa::VertexID;

// A parent has a smaller number than its children, so a root is the smallest vertex of its tree.
std::vector<VertexID> parents;  // on the core that runs the union-find

VertexID& parent_of(VertexID v) { return parents[static_cast<size_t>(v)]; }

VertexID find(VertexID v) {
  while (parent_of(v) != v) v = parent_of(v) = parent_of(parent_of(v));
  return v;
}

struct Unite {
  VertexID a;
  VertexID b;
  void operator()() const {
    const std::pair<VertexID, VertexID> roots = std::minmax({find(a), find(b)});
    parent_of(roots.second) = roots.first;
  }
};

}  // namespace

bool fits_one_core(int64_t nv) {
  const double free = apps::available_bytes() / Grappa::detail::topology().machine_cores;
  return 2.0 * sizeof(VertexID) * double(nv) < free;
}

GlobalAddress<VertexID> serial_components(const Grappa::TupleGraph& graph) {
  const Grappa::Core here = Grappa::mycore();
  parents.resize(static_cast<size_t>(graph.nv));
  for (VertexID v = 0; v < graph.nv; ++v) parent_of(v) = v;
  Grappa::forall(graph.edges, graph.nedge, [here](Grappa::TupleEdge& e) {
    Grappa::delegate::call<Grappa::async>(here, Unite{e.v0, e.v1});
  });
  const auto smallest = Grappa::global_alloc<VertexID>(graph.nv);
  Grappa::finish([smallest, &graph] {
    for (VertexID v = 0; v < graph.nv; ++v) {
      Grappa::delegate::write<Grappa::async>(smallest + v, find(v));
    }
  });
  std::vector<VertexID>().swap(parents);
  return smallest;
}

}  // namespace cc
