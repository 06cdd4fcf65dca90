#include "structures/graph/tuple_graph.hpp"

#include "structures/graph/csr/entry_buckets.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "structures/graph/make/generators.hpp"
#include "system/base/check.hpp"
#include "system/base/input_error.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/progress.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace Grappa {
namespace {

template <class Generator>
TupleGraph generate(const Generator& generator, int64_t nv, int64_t nedge) {
  GRAPPA_CHECK(nedge >= 0) << "invalid number of edges " << nedge << ", expected 0 or more";
  TupleGraph graph;
  graph.nv = nv;
  graph.nedge = nedge;
  graph.edges = global_alloc<TupleEdge>(std::max<int64_t>(nedge, 1));
  Progress progress("generating", nedge, "edges");
  const Progress::Counter done = progress.counter();
  forall(graph.edges, nedge, [generator, done](int64_t first, int64_t count, TupleEdge* edge) {
    for (int64_t k = 0; k < count; ++k) edge[k] = generator.edge(first + k);
    done.add(count);
  });
  return graph;
}

}  // namespace

TupleGraph TupleGraph::Kronecker(int scale, int64_t desired_nedge, uint64_t seed1, uint64_t seed2) {
  const detail::KroneckerGenerator generator(scale, seed1, seed2);
  return generate(generator, int64_t(1) << scale, desired_nedge);
}

TupleGraph TupleGraph::Uniform(int64_t nv, int64_t nedge, uint64_t seed) {
  return generate(detail::UniformGenerator(nv, seed), nv, nedge);
}

TupleGraph TupleGraph::Grid(int64_t rows, int64_t columns) {
  const detail::GridGenerator generator(rows, columns);
  return generate(generator, generator.nv(), generator.nedge());
}

TupleGraph TupleGraph::Road(int64_t rows, int64_t columns, double kept_share, uint64_t seed) {
  const detail::RoadGenerator generator(rows, columns, kept_share, seed);
  return generate(generator, generator.nv(), generator.nedge());
}

TupleGraph TupleGraph::Web(int64_t nv, int64_t links_per_page, uint64_t seed) {
  const detail::WebGenerator generator(nv, links_per_page, seed);
  return generate(generator, generator.nv(), generator.nedge());
}

TupleGraph TupleGraph::Load(const std::string& path, const std::string& format,
                            Attributes attributes) {
  TupleGraph graph;
  std::string error;
  if (!try_load(path, format, &graph, &error, attributes)) input_error(error);
  return graph;
}

void TupleGraph::save(const std::string& path, const std::string& format) const {
  std::string error;
  if (!try_save(path, format, &error)) input_error(error);
}

TupleGraph TupleGraph::from_edges(int64_t nv, const std::vector<Edge>& edges,
                                  const std::vector<EdgeAttributes>& attributes) {
  GRAPPA_CHECK(attributes.empty() || attributes.size() == edges.size())
      << attributes.size() << " attributes for " << edges.size() << " edges";
  for (const Edge& edge : edges) {
    GRAPPA_CHECK(std::min(edge.v0, edge.v1) >= 0 && std::max(edge.v0, edge.v1) < nv)
        << "invalid edge " << edge.v0 << " " << edge.v1 << " in a graph of " << nv << " vertices";
  }
  TupleGraph graph;
  graph.nv = nv;
  graph.nedge = int64_t(edges.size());
  graph.edges = global_alloc<Edge>(std::max<int64_t>(graph.nedge, 1));
  memcpy(graph.edges, edges.data(), graph.nedge);
  if (attributes.empty()) return graph;
  graph.attributes = global_alloc<EdgeAttributes>(graph.nedge);
  memcpy(graph.attributes, attributes.data(), graph.nedge);
  return graph;
}

void TupleGraph::destroy() {
  global_free(edges);
  edges = GlobalAddress<Edge>();
  global_free(attributes);
  attributes = GlobalAddress<EdgeAttributes>();
}

}  // namespace Grappa

namespace Grappa::detail {
namespace {

double slot_bytes(int64_t nv) { return nv <= INT64_C(1) << 31 ? 4 : 8; }

}  // namespace

double tuple_bytes_needed(int64_t nedge) { return double(sizeof(TupleEdge)) * double(nedge); }

double graph_bytes_at_rest(int64_t nv, int64_t nedge, size_t vertex_bytes) {
  return double(vertex_bytes + 8) * double(nv) + 2.0 * slot_bytes(nv) * double(nedge);
}

// The memory of received entries is freed while the lists grow.
double graph_bytes_to_build(int64_t nv, int64_t nedge, size_t vertex_bytes) {
  const double bytes_of_key = double(key_bytes(id_bits(nv), id_bits(nv)));
  const double surplus = std::max(0.0, bytes_of_key - slot_bytes(nv));
  return graph_bytes_at_rest(nv, nedge, vertex_bytes) + 2.0 * surplus * double(nedge);
}

std::string human_bytes(double bytes) {
  static const char* const kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1024;
  char text[64];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, kUnits[unit]);
  return text;
}

}  // namespace Grappa::detail
