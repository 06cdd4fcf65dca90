#include "apps/bfs/bfs_verify.hpp"

#include <algorithm>

namespace bfs {

using apps::add_violation;
using Grappa::async;

struct Node {
  VertexID parent;    // parent in the given tree
  VertexID ancestor;  // the vertex `level` steps up the tree; `level` is final at the root
  int64_t level;      // -1 if not reached
  int64_t confirmed;  // 1 after an input edge to the parent was found
};

namespace {

// The validation, on this core.
struct Check {
  GlobalAddress<Node> nodes;
  VertexID root;
  int64_t nv;
  bool samples;  // only the edges of sampled vertices are checked
} check;

Grappa::Reducer<int64_t, Grappa::ReducerType::Add> reached_vertices, traversed_edges, searching;

template <class F>
void for_each_vertex(F body) {
  Grappa::forall(check.nodes, check.nv, body);
}

// Calls `body(node)` for the node of `v`, asynchronously.
template <class F>
void visit(VertexID v, F body) {
  Grappa::delegate::call<async>(check.nodes + v, body);
}

// Checks a part of rule 1: each parent is a reached vertex, and the root is its own parent.
void check_parents() {
  for_each_vertex([](int64_t v, Node& node) {
    const VertexID parent = node.parent;
    if (v == check.root) {
      node.level = 0;
      if (parent == v) return;
      add_violation(1, v, "(the tree starts at the root): it is the root, but its parent is %1",
                    parent);
    } else if (parent < -1 || parent >= check.nv) {
      add_violation(1, v, "(every vertex leads to the root): its parent %1 is not a vertex",
                    parent);
    } else if (parent != -1) {
      visit(parent, [v, parent](Node& above) {
        if (above.parent != -1) return;
        add_violation(1, v, "(every vertex leads to the root): its parent %1 was not reached",
                      parent);
      });
    }
  });
}

// One round of pointer doubling: each vertex asks its ancestor for the ancestor of that ancestor.
// An ancestor that this round has already updated is only closer to the root. Returns the number of
// vertices that had not reached the root before the round.
int64_t look_twice_as_far() {
  searching.reset();
  for_each_vertex([](int64_t v, Node& node) {
    if (node.level < 0 || node.ancestor == check.root) return;
    ++searching;
    visit(node.ancestor, [v](Node& above) {
      const VertexID ancestor = above.ancestor;
      const int64_t steps = above.level;
      visit(v, [ancestor, steps](Node& asker) {
        asker.ancestor = ancestor;
        asker.level = std::min(asker.level + steps, check.nv);  // levels on a cycle only grow
      });
    });
  });
  return searching;
}

// Rule 1: sets the levels. If a vertex has not reached the root after log2(nv) rounds, the path
// from the vertex ends in a cycle.
void climb() {
  for (int64_t seen = 1; look_twice_as_far() != 0 && seen < check.nv;) seen *= 2;
  for_each_vertex([](int64_t v, Node& node) {
    if (node.level < 0 || node.ancestor == check.root) return;
    add_violation(1, v,
                  "(the tree has no cycle): the path up from its parent %1 never reaches the root",
                  node.parent);
  });
}

// Checks rule 2.
void check_tree_edges() {
  for_each_vertex([](int64_t v, Node& node) {
    if (node.level < 0 || v == check.root) return;
    const VertexID parent = node.parent;
    const int64_t level = node.level;
    visit(parent, [v, parent, level](Node& above) {
      if (level == above.level + 1) return;
      add_violation(2, v,
                    "(tree edges connect levels one apart): its level is %2, the level of its "
                    "parent %1 is %3",
                    parent, level, above.level);
    });
  });
}

// Checks rules 3 and 4 for one edge. Reports the deeper end or the unreached end.
void check_levels(VertexID v0, int64_t level0, VertexID v1, int64_t level1) {
  if (level0 >= 0 && (level1 < 0 || level1 > level0)) {
    std::swap(v0, v1);
    std::swap(level0, level1);
  }
  if (level0 < 0 && level1 >= 0) {
    add_violation(
        4, v0, "(the tree spans the component): it was not reached, but its neighbour %1 was", v1);
  } else if (level0 > level1 + 1) {
    add_violation(3, v0,
                  "(edges connect levels at most one apart): its level is %2, the level of its "
                  "neighbour %1 is %3",
                  v1, level0, level1);
  }
}

// Returns true for all vertices, or for one vertex in 64, by a hash that depends on the root.
bool is_checked(VertexID v) {
  if (!check.samples) return true;
  const uint64_t seed = static_cast<uint64_t>(check.root) * 0xBF58476D1CE4E5B9u;
  const uint64_t mixed = (static_cast<uint64_t>(v) ^ seed) * 0x9E3779B97F4A7C15u;
  return ((mixed >> 32) & 63) == 0;
}

// Checks rules 3 and 4 for each input edge that has a checked vertex at one end or at both ends.
// Then checks rule 5: each checked tree edge is an input edge.
void check_input_edges(const apps::InputEdges& edges) {
  edges.for_each([](VertexID v0, VertexID v1) {
    if (!is_checked(v0) && !is_checked(v1)) return;
    visit(v0, [v0, v1](Node& end0) {
      const int64_t level0 = end0.level;
      if (end0.parent == v1) end0.confirmed = 1;
      visit(v1, [v0, v1, level0](Node& end1) {
        if (end1.parent == v0) end1.confirmed = 1;
        check_levels(v0, level0, v1, end1.level);
      });
    });
  });
  for_each_vertex([](int64_t v, Node& node) {
    if (node.level < 0 || v == check.root || node.confirmed || !is_checked(v)) return;
    add_violation(5, v, "(tree edges are edges of the graph): there is no edge to its parent %1",
                  node.parent);
  });
}

}  // namespace

Verifier::Verifier(const apps::InputEdges& edges, VerifyLevel level)
    : edges_(edges),
      level_(level),
      nodes_(Grappa::global_alloc<Node>(edges.nv())),
      counts_(Grappa::global_alloc<int64_t>(edges.nv())) {
  Grappa::memset(counts_, 0, edges.nv());
  edges.count(counts_);
}

Verifier::~Verifier() {
  Grappa::global_free(nodes_);
  Grappa::global_free(counts_);
}

Verdict Verifier::find_levels(VertexID root, GlobalAddress<VertexID> parent) {
  const Check fresh = {nodes_, root, edges_.nv(), level_ == VerifyLevel::Sampled};
  Grappa::call_on_all_cores([fresh] { check = fresh; });
  Grappa::forall(parent, edges_.nv(), [](int64_t v, VertexID& its_parent) {
    const VertexID p = its_parent;
    visit(v, [p](Node& node) { node = Node{p, p, p == -1 ? -1 : 1, 0}; });
  });
  check_parents();
  const Verdict verdict = apps::take_verdict();
  if (!verdict.valid) return verdict;
  climb();
  return apps::take_verdict();
}

Verdict Verifier::verify(VertexID root, GlobalAddress<VertexID> parent) {
  if (level_ == VerifyLevel::None) return apps::valid();
  const Verdict verdict = find_levels(root, parent);
  if (!verdict.valid) return verdict;
  check_tree_edges();
  check_input_edges(edges_);
  return apps::take_verdict();
}

Traversed Verifier::count_traversed(GlobalAddress<VertexID> parent) const {
  const GlobalAddress<int64_t> counts = counts_;
  reached_vertices.reset();
  traversed_edges.reset();
  Grappa::forall(parent, edges_.nv(), [counts](int64_t v, VertexID& p) {
    if (p == -1) return;
    ++reached_vertices;
    // Two linear arrays of the same element size: both elements of a vertex are on the same core.
    traversed_edges += *(counts + v).pointer();
  });
  return Traversed{reached_vertices, traversed_edges / edges_.counted_times()};
}

GlobalAddress<int64_t> Verifier::tree_levels(VertexID root, GlobalAddress<VertexID> parent) {
  const auto levels = Grappa::global_alloc<int64_t>(edges_.nv());
  find_levels(root, parent);
  for_each_vertex(
      [levels](int64_t v, Node& node) { Grappa::delegate::write<async>(levels + v, node.level); });
  return levels;
}

double verify_bytes_needed(int64_t nv) {
  return double(2 * sizeof(VertexID) + sizeof(Node)) * double(nv);
}

}  // namespace bfs
