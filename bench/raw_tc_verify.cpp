#include "bench/raw_tc_verify.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace raw {

int64_t count_by_marks(int64_t nv, const Grappa::TupleEdge* edges, int64_t n) {
  std::vector<uint64_t> all;  // the smaller end in the upper half, the larger in the lower half
  for (int64_t i = 0; i < n; ++i) {
    const auto ends = std::minmax({uint64_t(edges[i].v0), uint64_t(edges[i].v1)});
    if (ends.first != ends.second) all.push_back(ends.first << 32 | ends.second);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<std::vector<uint32_t>> lists(static_cast<size_t>(nv));
  for (const uint64_t edge : all) {
    lists[size_t(edge >> 32)].push_back(uint32_t(edge));
    lists[size_t(uint32_t(edge))].push_back(uint32_t(edge >> 32));
  }
  std::vector<uint32_t> order(static_cast<size_t>(nv)), rank(order.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&lists](uint32_t v, uint32_t w) { return lists[v].size() > lists[w].size(); });
  for (size_t k = 0; k < order.size(); ++k) rank[order[k]] = uint32_t(k);
  // A deleted vertex stays in lists, but at their beginning, where it is skipped.
  for (std::vector<uint32_t>& list : lists) {
    for (uint32_t& neighbour : list) neighbour = rank[neighbour];
    std::sort(list.begin(), list.end(), std::greater<uint32_t>());
  }
  std::vector<uint8_t> marked(order.size());
  int64_t triangles = 0;
  for (uint32_t v = 0; v < order.size(); ++v) {
    const std::vector<uint32_t>& mine = lists[order[v]];
    for (const uint32_t w : mine) marked[w] = w > v;
    for (const uint32_t w : mine) {
      if (w < v) break;
      for (const uint32_t x : lists[order[w]]) {
        if (x <= w) break;
        triangles += marked[x];
      }
    }
    for (const uint32_t w : mine) marked[w] = 0;
  }
  return triangles;
}

}  // namespace raw
