#include "structures/graph/tuple_graph.hpp"

#include "structures/graph/edge_buffer.hpp"
#include "structures/graph/edge_text.hpp"
#include "structures/graph/graph_file.hpp"
#include "structures/graph/kronecker.hpp"
#include "system/base/check.hpp"
#include "system/base/input_error.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/forall.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace Grappa {

TupleGraph TupleGraph::Kronecker(int scale, int64_t desired_nedge, uint64_t seed1, uint64_t seed2) {
  GRAPPA_CHECK(desired_nedge >= 0) << "a graph of " << desired_nedge << " edges";
  const KroneckerGenerator generator(scale, seed1, seed2);
  TupleGraph graph;
  graph.nv = int64_t(1) << scale;
  graph.nedge = desired_nedge;
  graph.edges = global_alloc<Edge>(size_t(std::max<int64_t>(desired_nedge, 1)));
  forall(graph.edges, graph.nedge,
         [generator](int64_t i, Edge& edge) { edge = generator.edge(i); });
  return graph;
}

TupleGraph TupleGraph::Load(const std::string& path, const std::string& format) {
  TupleGraph graph;
  std::string error;
  if (!try_load(path, format, &graph, &error)) input_error(error);
  return graph;
}

bool TupleGraph::try_load(const std::string& path, const std::string& format, TupleGraph* graph,
                          std::string* error) {
  const GraphFormat known = graph_format(path, format);
  if (known != GraphFormat::kUnknown) {
    *error = read_graph_file(path, known, graph);
  } else if (!format.empty()) {
    *error = "format " + quoted(format.data(), format.data() + format.size()) +
             " is unknown; known are el, tsv (edge list) and mm (Matrix Market)";
  } else if (!std::ifstream(path)) {
    *error = printable(path) + ": cannot be opened: " + std::strerror(errno);
  } else {
    *error = printable(path) +
             ": the suffix tells no format; known are .el .wel .tsv .txt (edge list) and .mtx .mm "
             "(Matrix Market)";
  }
  return error->empty();
}

TupleGraph TupleGraph::from_edges(int64_t nv, const std::vector<Edge>& edges) {
  EdgeBuffer buffer;
  for (const Edge& edge : edges) {
    GRAPPA_CHECK(std::min(edge.v0, edge.v1) >= 0 && std::max(edge.v0, edge.v1) < nv)
        << "edge " << edge.v0 << " " << edge.v1 << " in a graph of " << nv << " vertices";
    buffer.push(edge);
  }
  TupleGraph graph;
  graph.nv = nv;
  graph.nedge = buffer.size();
  graph.edges = global_alloc<Edge>(size_t(std::max<int64_t>(graph.nedge, 1)));
  buffer.write_to(graph.edges, 0);
  return graph;
}

void TupleGraph::destroy() {
  global_free(edges);
  edges = GlobalAddress<Edge>();
}

}  // namespace Grappa
