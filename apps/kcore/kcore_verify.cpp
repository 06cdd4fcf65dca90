#include "apps/kcore/kcore_verify.hpp"

#include "apps/common/plain_graph.hpp"

#include <algorithm>
#include <utility>

namespace kcore {

using Grappa::VertexID;

// The vertices are in the order of their degrees. The next vertex is removed, and each neighbour of
// higher degree loses one: it is exchanged with the first vertex of its degree, which then has the
// lower degree.
std::vector<uint32_t> cores_serially(const Grappa::TupleGraph& tuples) {
  const apps::PlainGraph g(tuples);
  const size_t nv = size_t(g.nv());
  std::vector<uint32_t> degrees(nv);
  for (size_t v = 0; v < nv; ++v) degrees[v] = uint32_t(g.degree(VertexID(v)));
  const uint32_t most = nv == 0 ? 0 : *std::max_element(degrees.begin(), degrees.end());
  std::vector<size_t> firsts(size_t(most) + 2);  // by degree: the first vertex in the order
  for (const uint32_t degree : degrees) ++firsts[degree + 1];
  for (size_t degree = 1; degree < firsts.size(); ++degree) firsts[degree] += firsts[degree - 1];
  std::vector<size_t> order(nv), places(nv), free = firsts;
  for (size_t v = 0; v < nv; ++v) order[places[v] = free[degrees[v]]++] = v;
  for (size_t k = 0; k < nv; ++k) {
    const size_t v = order[k];
    firsts[degrees[v]] = k + 1;
    for (const VertexID* each = g.begin(VertexID(v)); each != g.end(VertexID(v)); ++each) {
      const size_t w = size_t(*each);
      if (degrees[w] <= degrees[v]) continue;
      const size_t first = std::max(firsts[degrees[w]], k + 1);
      const size_t other = order[first];
      std::swap(order[first], order[places[w]]);
      std::swap(places[other], places[w]);
      firsts[degrees[w]--] = first + 1;
    }
  }
  return degrees;
}

int64_t count_wrong(Grappa::GlobalAddress<CoreGraph> g, const Grappa::TupleGraph& tuples) {
  std::vector<uint32_t> expected = cores_serially(tuples);
  int64_t wrong = 0;
  struct Check {
    const uint32_t* expected;
    int64_t* wrong;
  } check = {expected.data(), &wrong};
  const Grappa::GlobalAddress<Check> here = Grappa::make_global(&check);
  Grappa::forall(g, [here](VertexID id, CoreGraph::Vertex& v) {
    const uint32_t core = v->core;
    Grappa::delegate::call<Grappa::async>(
        here, [id, core](Check& its) { *its.wrong += its.expected[id] != core; });
  });
  return wrong;
}

}  // namespace kcore
