#include "apps/sssp/sssp_verify.hpp"

namespace sssp {

struct Node {
  int64_t distance;   // -1: unreached
  VertexID parent;    // kAnyParent: no parents are given
  int64_t confirmed;  // 1 if an edge from the parent ends a path of this distance, otherwise 0
  int64_t unused;     // no element crosses a block of the heap
};

namespace {

using Grappa::async;
using Grappa::Reducer;
using Grappa::ReducerType;
using Grappa::TupleGraph;

constexpr VertexID kAnyParent = -2;

Reducer<int64_t, ReducerType::Add> reached_vertices;
Reducer<int64_t, ReducerType::Add> traversed_ends;

// Checks the edge between `from` and the vertex `to` of this core.
void check_end(Node* node, VertexID to, VertexID from, int64_t from_distance, int64_t weight) {
  const bool reached = node->distance >= 0;
  if (reached != (from_distance >= 0)) {
    return apps::add_violation(4, to,
                               "(both ends of an edge are reached, or none): its distance is %1, "
                               "and that of its neighbour %2 is %3",
                               node->distance, from, from_distance);
  }
  if (!reached) return;
  ++traversed_ends;
  const int64_t by_edge = from_distance + weight;
  if (node->distance > by_edge) {
    apps::add_violation(3, to, "(no edge is a shortcut): its distance is %1, but %2 by vertex %3",
                        node->distance, by_edge, from);
  }
  if (from == to) return;  // a self-loop is no path
  if (node->distance == by_edge && (node->parent == kAnyParent || node->parent == from)) {
    node->confirmed = 1;
  }
}

// Sends the distance of `from` to the vertex `to`.
void check_from(GlobalAddress<Node> nodes, VertexID from, VertexID to, int64_t weight) {
  Grappa::delegate::call<async>(nodes + from, [nodes, from, to, weight](Node& node) {
    const int64_t distance = node.distance;
    Grappa::delegate::call<async>(nodes + to, [from, to, distance, weight](Node& its) {
      check_end(&its, to, from, distance, weight);
    });
  });
}

void check_vertex(VertexID v, const Node& node, VertexID root) {
  if (node.distance < 0) {
    if (v == root) apps::add_violation(1, v, "(the root is reached)");
    if (node.parent >= 0) {
      apps::add_violation(1, v, "(an unreached vertex has no parent): it is %1", node.parent);
    }
    return;
  }
  ++reached_vertices;
  if (v == root) {
    if (node.distance != 0) {
      apps::add_violation(1, v, "(the root has the distance 0): it is %1", node.distance);
    }
    if (node.parent != kAnyParent && node.parent != v) {
      apps::add_violation(1, v, "(the root is its own parent): it is %1", node.parent);
    }
  } else if (node.parent == -1) {
    apps::add_violation(1, v, "(every reached vertex has a parent)");
  } else if (node.confirmed == 0) {
    apps::add_violation(2, v, "(a path has each distance): no edge %2 ends a path of length %1",
                        node.distance, node.parent);
  }
}

}  // namespace

PathVerifier::PathVerifier(const TupleGraph& graph, const Weights& weights)
    : graph_(graph), weights_(weights), nodes_(Grappa::global_alloc<Node>(graph.nv)) {}

PathVerifier::~PathVerifier() { Grappa::global_free(nodes_); }

apps::Verdict PathVerifier::verify(VertexID root, GlobalAddress<int64_t> distances,
                                   GlobalAddress<VertexID> parents) {
  const GlobalAddress<Node> nodes = nodes_;
  const Weights weights = weights_;
  reached_vertices.reset();
  traversed_ends.reset();
  Grappa::forall(distances, graph_.nv, [nodes](int64_t v, int64_t& its) {
    const int64_t distance = its;
    Grappa::delegate::call<async>(nodes + v, [distance](Node& node) {
      node = Node{distance, kAnyParent, 0, 0};
    });
  });
  if (parents) {
    Grappa::forall(parents, graph_.nv, [nodes](int64_t v, VertexID& its) {
      const VertexID parent = its;
      Grappa::delegate::call<async>(nodes + v, [parent](Node& node) { node.parent = parent; });
    });
  }
  Grappa::forall(graph_.edges, graph_.nedge, [nodes, weights](int64_t i, TupleGraph::Edge& e) {
    const VertexID v = e.v0, w = e.v1;
    const int64_t weight = v == w ? 0 : weights.of(i, e);
    check_from(nodes, v, w, weight);
    check_from(nodes, w, v, weight);
  });
  Grappa::forall(nodes, graph_.nv, [root](int64_t v, Node& node) { check_vertex(v, node, root); });
  traversed_ = Traversed{reached_vertices, traversed_ends / 2};
  return apps::take_verdict();
}

double verify_bytes_needed(int64_t nv) {
  return double(sizeof(Node) + 2 * sizeof(int64_t)) * double(nv);
}

}  // namespace sssp
