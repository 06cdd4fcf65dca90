#include "apps/bfs/bfs_verify.hpp"

#include "apps/bfs/traversed.hpp"
#include "apps/common/complaints.hpp"

#include <algorithm>
#include <sstream>

namespace bfs {
namespace {

// State of a vertex during the validation, at the owner.
struct Node {
  VertexID parent;    // the parent in the given tree
  VertexID ancestor;  // `level` steps up the tree; `level` is final when this is the root
  int64_t level;      // -1 if not reached
  int64_t confirmed;  // 1 after an input edge to the parent was found
};

enum Fault : int64_t {
  kRootHasParent,
  kParentOutOfRange,
  kParentUnreached,
  kNoWayToRoot,
  kLevelWithoutParent,
  kLevelStep,
  kEdgeSpansLevels,
  kEdgeLeavesTree,
  kNoSuchEdge,
};

int rule_of(Fault fault) {
  switch (fault) {
    case kRootHasParent:
    case kParentOutOfRange:
    case kParentUnreached:
    case kNoWayToRoot: return 1;
    case kLevelWithoutParent:
    case kLevelStep: return 2;
    case kEdgeSpansLevels: return 3;
    case kEdgeLeavesTree: return 4;
    case kNoSuchEdge: break;
  }
  return 5;
}

// A vertex that breaks a rule, with its parent or the other end of an edge.
struct Complaint {
  Fault fault;
  VertexID vertex;
  VertexID other;
  int64_t vertex_level;
  int64_t other_level;
};

// State of a validation on this core.
struct Check {
  GlobalAddress<Node> nodes;
  VertexID root;
  int64_t nv;
  int64_t asked;  // vertices that are not at the root yet in this round of pointer doubling
  int64_t reached;
  int64_t traversed_edges;
  apps::Complaints<Complaint, 5> complaints;
} check;

void complain(Fault fault, VertexID vertex, VertexID other, int64_t vertex_level = 0,
              int64_t other_level = 0) {
  check.complaints.add(rule_of(fault), {fault, vertex, other, vertex_level, other_level});
}

void reset_check(GlobalAddress<Node> nodes, const TupleGraph& graph, VertexID root) {
  const int64_t nv = graph.nv;
  Grappa::on_all_cores([nodes, root, nv] {
    check = Check();
    check.nodes = nodes;
    check.root = root;
    check.nv = nv;
  });
}

bool any_complaints() {
  return Grappa::sum_all_cores([] { return check.complaints.count(); }) > 0;
}

void load_parents(GlobalAddress<Node> nodes, GlobalAddress<VertexID> parent, int64_t nv) {
  Grappa::forall(parent, nv, [nodes](int64_t v, VertexID& p) {
    const VertexID found = p;
    Grappa::delegate::call<Grappa::async>(nodes + v, [found](Node& node) {
      node = Node{found, found, found == -1 ? -1 : 1, 0};
    });
  });
}

void load_levels(GlobalAddress<Node> nodes, GlobalAddress<int64_t> level, int64_t nv) {
  Grappa::forall(level, nv, [nodes](int64_t v, int64_t& l) {
    const int64_t given = l;
    Grappa::delegate::call<Grappa::async>(nodes + v, [given](Node& node) { node.level = given; });
  });
}

// Rule 1, one step up: each parent is a reached vertex, and the root is its own parent.
void check_parents(GlobalAddress<Node> nodes, int64_t nv) {
  Grappa::forall(nodes, nv, [nodes](int64_t v, Node& node) {
    const VertexID parent = node.parent;
    if (v == check.root) {
      node.level = 0;
      if (parent != v) complain(kRootHasParent, v, parent);
      return;
    }
    if (parent == -1) return;
    if (parent < 0 || parent >= check.nv) {
      complain(kParentOutOfRange, v, parent);
      return;
    }
    Grappa::delegate::call<Grappa::async>(nodes + parent, [v, parent](Node& above) {
      if (above.parent == -1) complain(kParentUnreached, v, parent);
    });
  });
}

// One round of pointer doubling: each vertex asks its ancestor for the ancestor of that ancestor.
// If the answer is from after the update of this round, the ancestor is only farther up. Returns
// the number of vertices that had not reached the root before the round.
int64_t look_twice_as_far(GlobalAddress<Node> nodes, int64_t nv) {
  Grappa::forall(nodes, nv, [nodes](int64_t v, Node& node) {
    if (node.level < 0 || node.ancestor == check.root) return;
    ++check.asked;
    Grappa::delegate::call<Grappa::async>(nodes + node.ancestor, [v](Node& above) {
      const VertexID ancestor = above.ancestor;
      const int64_t steps = above.level;
      Grappa::delegate::call<Grappa::async>(check.nodes + v, [ancestor, steps](Node& asker) {
        asker.ancestor = ancestor;
        asker.level = std::min(asker.level + steps, check.nv);  // a cycle has no end
      });
    });
  });
  return Grappa::sum_all_cores([] {
    const int64_t asked = check.asked;
    check.asked = 0;
    return asked;
  });
}

// Rule 1: sets the levels. A vertex that has not reached the root after log2(nv) rounds is on a
// cycle or below a cycle.
void find_levels(GlobalAddress<Node> nodes, int64_t nv) {
  for (int64_t seen = 1;; seen *= 2) {
    if (look_twice_as_far(nodes, nv) == 0) return;
    if (seen >= nv) break;
  }
  Grappa::forall(nodes, nv, [](int64_t v, Node& node) {
    if (node.level < 0 || node.ancestor == check.root) return;
    complain(kNoWayToRoot, v, node.parent);
  });
}

// Rule 2; also counts the reached vertices.
void check_tree_edges(GlobalAddress<Node> nodes, int64_t nv) {
  Grappa::forall(nodes, nv, [nodes](int64_t v, Node& node) {
    const VertexID parent = node.parent;
    const int64_t level = node.level;
    if (level >= 0) ++check.reached;
    if ((level < 0) != (parent < 0)) {
      complain(kLevelWithoutParent, v, parent, level);
    } else if (v == check.root) {
      if (level != 0) complain(kLevelStep, v, v, level, level);
    } else if (level >= 0) {
      Grappa::delegate::call<Grappa::async>(nodes + parent, [v, parent, level](Node& above) {
        if (level != above.level + 1) complain(kLevelStep, v, parent, level, above.level);
      });
    }
  });
}

// Rules 3 and 4 for one edge. The deeper end or the unreached end is reported.
void check_levels(VertexID v0, int64_t level0, VertexID v1, int64_t level1) {
  if ((level0 < 0) != (level1 < 0)) {
    if (level0 < 0) {
      complain(kEdgeLeavesTree, v0, v1);
    } else {
      complain(kEdgeLeavesTree, v1, v0);
    }
  } else if (level0 > level1 + 1) {
    complain(kEdgeSpansLevels, v0, v1, level0, level1);
  } else if (level1 > level0 + 1) {
    complain(kEdgeSpansLevels, v1, v0, level1, level0);
  }
}

// Selects vertices whose edges are checked: all, or one in 64 by a hash that depends on the root.
struct Sample {
  uint64_t mask;  // 0: all vertices
  uint64_t seed;

  bool has(VertexID v) const {
    if (mask == 0) return true;
    const uint64_t mixed = (static_cast<uint64_t>(v) ^ seed) * 0x9E3779B97F4A7C15u;
    return ((mixed >> 32) & mask) == 0;
  }
};
const Sample kAll = {0, 0};

// Checks each input edge of a sampled vertex at both its ends: rules 3 and 4, and the first half of
// rule 5.
void check_input_edges(const TupleGraph& graph, const Sample& sample) {
  Grappa::forall(graph.edges, graph.nedge, [sample](TupleGraph::Edge& e) {
    const VertexID v0 = e.v0;
    const VertexID v1 = e.v1;
    if (!sample.has(v0) && !sample.has(v1)) return;
    Grappa::delegate::call<Grappa::async>(check.nodes + v0, [v0, v1](Node& end0) {
      const int64_t level0 = end0.level;
      if (level0 >= 0) ++check.traversed_edges;
      if (end0.parent == v1) end0.confirmed = 1;
      Grappa::delegate::call<Grappa::async>(check.nodes + v1, [v0, v1, level0](Node& end1) {
        if (end1.parent == v0) end1.confirmed = 1;
        check_levels(v0, level0, v1, end1.level);
      });
    });
  });
}

// The second half of rule 5.
void check_confirmed(GlobalAddress<Node> nodes, int64_t nv, const Sample& sample) {
  Grappa::forall(nodes, nv, [sample](int64_t v, Node& node) {
    if (node.level < 0 || v == check.root || node.confirmed || !sample.has(v)) return;
    complain(kNoSuchEdge, v, node.parent);
  });
}

std::string describe(const Complaint& c) {
  std::ostringstream out;
  out << "vertex " << c.vertex << " breaks rule " << rule_of(c.fault);
  switch (c.fault) {
    case kRootHasParent:
      out << " (the tree starts at the root): it is the root, but its parent is " << c.other;
      break;
    case kParentOutOfRange:
      out << " (every vertex leads to the root): its parent " << c.other << " is not a vertex";
      break;
    case kParentUnreached:
      out << " (every vertex leads to the root): its parent " << c.other << " was not reached";
      break;
    case kNoWayToRoot:
      out << " (the tree has no cycle): the path up from its parent " << c.other
          << " never reaches the root";
      break;
    case kLevelWithoutParent:
      out << " (tree edges connect levels one apart): it has level " << c.vertex_level
          << " and parent " << c.other;
      break;
    case kLevelStep:
      out << " (tree edges connect levels one apart): its level is " << c.vertex_level
          << ", the level of its parent " << c.other << " is " << c.other_level;
      break;
    case kEdgeSpansLevels:
      out << " (edges connect levels at most one apart): its level is " << c.vertex_level
          << ", the level of its neighbour " << c.other << " is " << c.other_level;
      break;
    case kEdgeLeavesTree:
      out << " (the tree spans the component): it was not reached, but its neighbour " << c.other
          << " was";
      break;
    case kNoSuchEdge:
      out << " (tree edges are edges of the graph): there is no edge to its parent " << c.other;
      break;
  }
  return out.str();
}

// The complaint about the lowest vertex for the lowest broken rule, over all cores.
Verdict complaint_verdict() {
  Grappa::on_all_cores([] { check.complaints.merge(); });
  const Complaint& complaint = check.complaints.first();
  const int rule = check.complaints.first_rule();
  return Verdict{false, rule, complaint.vertex, describe(complaint), 0, 0};
}

// Rules 2 to 5. All nodes must have their levels.
Verdict judge_levels(GlobalAddress<Node> nodes, const TupleGraph& graph, const Sample& sample) {
  check_tree_edges(nodes, graph.nv);
  check_input_edges(graph, sample);
  check_confirmed(nodes, graph.nv, sample);
  if (any_complaints()) return complaint_verdict();
  const int64_t reached = Grappa::sum_all_cores([] { return check.reached; });
  // If only samples are checked, this counts sampled edges only, and the caller replaces the count.
  const int64_t traversed = Grappa::sum_all_cores([] { return check.traversed_edges; });
  return Verdict{true, 0, -1, "", reached, traversed};
}

GlobalAddress<Node> begin_check(const TupleGraph& graph, VertexID root,
                                GlobalAddress<VertexID> parent) {
  const GlobalAddress<Node> nodes = Grappa::global_alloc<Node>(graph.nv);
  reset_check(nodes, graph, root);
  load_parents(nodes, parent, graph.nv);
  check_parents(nodes, graph.nv);
  return nodes;
}

Verdict judge(const TupleGraph& graph, VertexID root, GlobalAddress<VertexID> parent,
              const Sample& sample) {
  const GlobalAddress<Node> nodes = begin_check(graph, root, parent);
  if (!any_complaints()) find_levels(nodes, graph.nv);
  const Verdict verdict =
      any_complaints() ? complaint_verdict() : judge_levels(nodes, graph, sample);
  Grappa::global_free(nodes);
  return verdict;
}

}  // namespace

Verdict verify(const TupleGraph& graph, VertexID root, GlobalAddress<VertexID> parent) {
  return judge(graph, root, parent, kAll);
}

Verdict verify_levels(const TupleGraph& graph, VertexID root, GlobalAddress<VertexID> parent,
                      GlobalAddress<int64_t> level) {
  const GlobalAddress<Node> nodes = begin_check(graph, root, parent);
  load_levels(nodes, level, graph.nv);
  const Verdict verdict = any_complaints() ? complaint_verdict() : judge_levels(nodes, graph, kAll);
  Grappa::global_free(nodes);
  return verdict;
}

Verdict verify_at(VerifyLevel level, const TupleGraph& graph, VertexID root,
                  GlobalAddress<VertexID> parent, GlobalAddress<int64_t> first_ends) {
  if (level == VerifyLevel::Full) return verify(graph, root, parent);
  Verdict verdict = {true, 0, -1, "", 0, 0};
  if (level == VerifyLevel::Sampled) {
    const Sample one_in_64 = {63, static_cast<uint64_t>(root) * 0xBF58476D1CE4E5B9u};
    verdict = judge(graph, root, parent, one_in_64);
    if (!verdict.valid) return verdict;
  }
  const Traversed all = count_traversed(graph.nv, parent, first_ends);
  verdict.reached = all.reached;
  verdict.traversed_edges = all.edges;
  return verdict;
}

GlobalAddress<int64_t> tree_levels(const TupleGraph& graph, VertexID root,
                                   GlobalAddress<VertexID> parent) {
  const auto levels = Grappa::global_alloc<int64_t>(graph.nv);
  const GlobalAddress<Node> nodes = begin_check(graph, root, parent);
  find_levels(nodes, graph.nv);
  Grappa::forall(nodes, graph.nv, [levels](int64_t v, Node& node) {
    const int64_t level = node.level;
    Grappa::delegate::call<Grappa::async>(levels + v, [level](int64_t& its) { its = level; });
  });
  Grappa::global_free(nodes);
  return levels;
}

double verify_bytes_needed(int64_t nv) {
  return double(2 * sizeof(VertexID) + sizeof(Node)) * double(nv);
}

}  // namespace bfs
