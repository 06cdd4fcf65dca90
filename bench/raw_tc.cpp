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

// Sets a bit for each neighbour of u below u, and looks for bits in their lists.
int64_t count_marks(const Csr& graph, int threads) {
  int64_t total = 0;
#pragma omp parallel num_threads(threads) reduction(+ : total)
  {
    std::vector<uint64_t> marks(size_t(graph.nv()) / 64 + 1);
#pragma omp for schedule(dynamic, kChunk)
    for (Vertex u = 0; u < Vertex(graph.nv()); ++u) {
      const Vertex* const begin = graph.begin(u);
      const Vertex* const end = std::lower_bound(begin, graph.end(u), u);
      if (end - begin < 2) continue;
      for (const Vertex* v = begin; v != end; ++v) marks[*v / 64] |= uint64_t(1) << (*v % 64);
      for (const Vertex* v = begin; v != end; ++v) {
        for (const Vertex* w = graph.begin(*v); w != graph.end(*v) && *w < *v; ++w) {
          total += marks[*w / 64] >> (*w % 64) & 1;
        }
      }
      for (const Vertex* v = begin; v != end; ++v) marks[*v / 64] = 0;
    }
  }
  return total;
}

}  // namespace

bool has_skewed_degrees(const Csr& graph) {
  constexpr int64_t kSample = 1000;
  if (graph.entries() < 20 * graph.nv()) return false;
  std::mt19937_64 random(27491095);
  std::uniform_int_distribution<Vertex> any(0, Vertex(graph.nv() - 1));
  std::vector<int64_t> degrees;
  int64_t sum = 0;
  while (int64_t(degrees.size()) < std::min(kSample, graph.nv())) {
    const int64_t degree = graph.degree(any(random));
    if (degree == 0) continue;
    degrees.push_back(degree);
    sum += degree;
  }
  std::sort(degrees.begin(), degrees.end());
  const double mean = double(sum) / double(degrees.size());
  return mean / 1.3 > double(degrees[degrees.size() / 2]);
}

int64_t count_triangles(const Csr& graph, int threads, TriangleMethod method) {
  const auto count = method == TriangleMethod::Merge ? &count_ordered : &count_marks;
  if (!has_skewed_degrees(graph)) return count(graph, threads);
  return count(graph.relabelled_by_degree(threads), threads);
}

}  // namespace raw
