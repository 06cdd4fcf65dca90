#include "bench/raw_uts.hpp"

#include <algorithm>

namespace raw {
namespace {

void visit(const uts::Tree& tree, const uts::Node& node, uts::Counts* counts) {
  ++counts->nodes;
  counts->depth = std::max<int64_t>(counts->depth, node.depth);
  if (node.children == 0) ++counts->leaves;
  for (int32_t k = 0; k < node.children; ++k) visit(tree, tree.child(node, k), counts);
}

}  // namespace

uts::Counts search(const uts::Tree& tree) {
  uts::Counts counts = {0, 0, 0};
  visit(tree, tree.root(), &counts);
  return counts;
}

}  // namespace raw
