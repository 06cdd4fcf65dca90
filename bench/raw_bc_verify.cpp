#include "bench/raw_bc_verify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace raw {
namespace {

typedef std::vector<std::vector<int32_t>> Lists;

Lists lists_of(int64_t nv, const Grappa::TupleEdge* edges, int64_t n) {
  Lists lists(static_cast<size_t>(nv));
  for (int64_t i = 0; i < n; ++i) {
    if (edges[i].v0 == edges[i].v1) continue;
    lists[size_t(edges[i].v0)].push_back(int32_t(edges[i].v1));
    lists[size_t(edges[i].v1)].push_back(int32_t(edges[i].v0));
  }
  for (std::vector<int32_t>& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return lists;
}

// Adds the scores of the paths from `source`.
void add(const Lists& lists, int32_t source, std::vector<double>* scores) {
  std::vector<int32_t> distances(lists.size(), std::numeric_limits<int32_t>::max());
  std::vector<std::vector<int32_t>> levels(1, {source});
  std::vector<double> logarithms(lists.size()), dependencies(lists.size());
  distances[size_t(source)] = 0;
  while (!levels.back().empty()) {
    const int32_t distance = int32_t(levels.size());
    std::vector<int32_t> next;
    for (const int32_t v : levels.back()) {
      for (const int32_t w : lists[size_t(v)]) {
        if (distances[size_t(w)] <= distance) continue;
        distances[size_t(w)] = distance;
        next.push_back(w);
      }
    }
    for (const int32_t w : next) {  // log(exp(a) + exp(b) ...) = a + log(1 + exp(b - a) ...)
      double largest = -1, sum = 0;
      for (const int32_t v : lists[size_t(w)]) {
        if (distances[size_t(v)] + 1 == distance) {
          largest = std::max(largest, logarithms[size_t(v)]);
        }
      }
      for (const int32_t v : lists[size_t(w)]) {
        if (distances[size_t(v)] + 1 == distance) sum += std::exp(logarithms[size_t(v)] - largest);
      }
      logarithms[size_t(w)] = largest + std::log(sum);
    }
    levels.push_back(std::move(next));
  }
  for (size_t level = levels.size() - 1; level > 0; --level) {
    for (const int32_t w : levels[level]) {
      for (const int32_t v : lists[size_t(w)]) {
        if (distances[size_t(v)] + 1 != distances[size_t(w)]) continue;
        dependencies[size_t(v)] +=
            std::exp(logarithms[size_t(v)] - logarithms[size_t(w)]) * (1 + dependencies[size_t(w)]);
      }
      (*scores)[size_t(w)] += dependencies[size_t(w)];
    }
  }
}

}  // namespace

ScoreCheck::ScoreCheck(int64_t nv, const Grappa::TupleEdge* edges, int64_t n,
                       const std::vector<int32_t>& sources)
    : scores_(static_cast<size_t>(nv)) {
  const Lists lists = lists_of(nv, edges, n);
  for (const int32_t source : sources) add(lists, source, &scores_);
}

double ScoreCheck::error_of(const double* scores) const {
  double error = 0;
  for (size_t v = 0; v < scores_.size(); ++v) {
    const double difference = std::abs(scores[v] - scores_[v]) / std::max(scores_[v], 1.0);
    if (std::isnan(difference)) return difference;
    error = std::max(error, difference);
  }
  return error;
}

}  // namespace raw
