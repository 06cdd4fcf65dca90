#include "apps/tree_search/tree_search.hpp"

#include <cstddef>
#include <deque>
#include <numeric>
#include <utility>
#include <vector>

namespace tree_search {
namespace {

// Number of reads in flight at a time for a subtree.
constexpr size_t kReadsAhead = 64;

// The count on this core.
int64_t found;

void search(Tree tree, int64_t index, int32_t colour) {
  const Vertex vertex = Grappa::delegate::read(tree + index);
  if (vertex.colour == colour) ++found;
  for (int64_t k = 0; k < vertex.children; ++k) {
    const int64_t child = vertex.first_child + k;
    Grappa::spawn<Grappa::unbound>([tree, child, colour] { search(tree, child, colour); });
  }
}

int64_t count_in_one_task(Tree tree, int64_t root, int32_t colour) {
  int64_t count = 0;
  std::vector<std::pair<int64_t, int64_t>> ranges = {{root, root + 1}};  // ranges to read
  std::deque<Grappa::Future<Vertex>> reads;
  while (!reads.empty() || !ranges.empty()) {
    while (reads.size() < kReadsAhead && !ranges.empty()) {
      reads.push_back(Grappa::delegate::read_future(tree + ranges.back().first));
      if (++ranges.back().first == ranges.back().second) ranges.pop_back();
    }
    const Vertex vertex = reads.front().get();
    reads.pop_front();
    if (vertex.colour == colour) ++count;
    if (vertex.children != 0) {
      ranges.push_back({vertex.first_child, vertex.first_child + vertex.children});
    }
  }
  return count;
}

int64_t count_below(Tree tree, int64_t index, int32_t colour, int levels) {
  if (levels == 0) return count_in_one_task(tree, index, colour);
  const Vertex vertex = Grappa::delegate::read(tree + index);
  std::vector<int64_t> counts(size_t(vertex.children));
  Grappa::finish([&] {
    for (int64_t k = 0; k < vertex.children; ++k) {
      Grappa::spawn([&, k] {
        counts[size_t(k)] = count_below(tree, vertex.first_child + k, colour, levels - 1);
      });
    }
  });
  return std::accumulate(counts.begin(), counts.end(), int64_t(vertex.colour == colour ? 1 : 0));
}

}  // namespace

int64_t count_by_tasks(Tree tree, int32_t colour) {
  Grappa::on_all_cores([] { found = 0; });
  Grappa::finish([tree, colour] { search(tree, 0, colour); });
  return Grappa::sum_all_cores([] { return found; });
}

int64_t count_by_nested_finish(Tree tree, int32_t colour, int levels) {
  return count_below(tree, 0, colour, levels);
}

}  // namespace tree_search
