#include "bench/raw_tc.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace raw {
namespace {

// Number of vertices that a thread takes at a time, as in GAP.
constexpr int kChunk = 64;

int64_t count_ordered(const Csr& graph, int threads) {
  int64_t total = 0;
#pragma omp parallel for schedule(dynamic, kChunk) num_threads(threads) reduction(+ : total)
  for (Vertex u = 0; u < Vertex(graph.nv()); ++u) {
    for (const Vertex* v = graph.begin(u); v != graph.end(u) && *v < u; ++v) {
      const Vertex* it = graph.begin(u);
      for (const Vertex* w = graph.begin(*v); w != graph.end(*v) && *w < *v; ++w) {
        while (*it < *w) ++it;  // ends at the entry *v at the latest
        total += *w == *it;
      }
    }
  }
  return total;
}

}  // namespace

bool has_skewed_degrees(const Csr& graph) {
  constexpr int64_t kSample = 1000;
  if (graph.entries() / 2 < 10 * graph.nv()) return false;
  std::mt19937_64 random(27491095);
  std::uniform_int_distribution<Vertex> any(0, Vertex(graph.nv() - 1));
  std::vector<int64_t> degrees;
  int64_t sum = 0;
  while (int64_t(degrees.size()) < std::min(kSample, graph.nv())) {
    degrees.push_back(graph.degree(any(random)));
    sum += degrees.back();
  }
  std::sort(degrees.begin(), degrees.end());
  const double mean = double(sum) / double(degrees.size());
  return mean / 1.3 > double(degrees[degrees.size() / 2]);
}

int64_t count_triangles(const Csr& graph, int threads) {
  if (!has_skewed_degrees(graph)) return count_ordered(graph, threads);
  return count_ordered(graph.relabelled_by_degree(threads), threads);
}

}  // namespace raw
