#include "apps/cc/cc_verify.hpp"

#include "apps/common/classes.hpp"
#include "apps/common/memory.hpp"
#include "system/net/topology.hpp"

#include <algorithm>

namespace cc {
namespace {

using apps::add_violation;
using apps::count_classes;

// The verification, on this core.
struct Check {
  GlobalAddress<VertexID> label;
  GlobalAddress<LabelGraph> g;
  std::vector<bool> reached;  // reached vertices, by local index
} check;

// Calls `body(label)` with the label of `v`, asynchronously.
template <class F>
void with_label(VertexID v, F body) {
  Grappa::delegate::call<Grappa::async>(check.label + v, [body](VertexID& label) { body(label); });
}

// Checks rule 3 or 5: the labels of both vertices must be equal. `how` is a string literal.
void check_equal(int rule, VertexID v0, VertexID v1, const char* how) {
  with_label(v0, [=](VertexID label0) {
    with_label(v1, [=](VertexID label1) {
      if (label1 != label0) add_violation(rule, v0, how, v1, label0, label1);
    });
  });
}

// Checks rules 2 and 3.
void check_labels_and_edges(const TupleGraph& graph) {
  Grappa::forall(check.label, graph.nv, [](int64_t v, VertexID& its_label) {
    const VertexID label = its_label;
    with_label(label, [v, label](VertexID of_label) {
      if (of_label == label) return;
      add_violation(2, v, "(the label of a label is itself): its label is %1, whose label is %2",
                    label, of_label);
    });
  });
  Grappa::forall(graph.edges, graph.nedge, [](TupleGraph::Edge& e) {
    check_equal(3, e.v0, e.v1,
                "(edges join equal labels): its label is %2, the label of its neighbour %1 is %3");
  });
}

// Continues the search from a vertex of this core that the search reaches for the first time.
struct Reach {
  void operator()(Vertex& v) const {
    const size_t place = static_cast<size_t>(&v - check.g->vs.localize());
    if (check.reached[place]) return;
    check.reached[place] = true;
    Grappa::forall<Grappa::async>(Grappa::adj(check.g, v), [](LabelGraph::Edge& e) {
      Grappa::delegate::call<Grappa::async>(e.ga, Reach());
    });
  }
};

// Checks rule 4 by a search from all labels at once. By rule 3, no edge leads to another class.
void check_connected() {
  Grappa::forall(check.label, check.g->nv, [](int64_t v, VertexID& its_label) {
    if (its_label == v) Grappa::delegate::call<Grappa::async>(check.g->vs + v, Reach());
  });
  Grappa::forall(check.g, [](VertexID id, Vertex& v) {
    if (check.reached[static_cast<size_t>(&v - check.g->vs.localize())]) return;
    with_label(id, [id](VertexID label) {
      add_violation(4, id, "(a vertex is connected with its label): no path leads from %1 to it",
                    label);
    });
  });
}

Verdict compare_number(int rule, int64_t labels, int64_t components) {
  if (labels == components) return apps::valid();
  return Verdict{false, rule, -1,
                 "the labels break rule " + std::to_string(rule) + ": there are " +
                     std::to_string(labels) + " labels, but " + std::to_string(components) +
                     " components"};
}

// The trees of a serial union-find on one core. A parent is smaller than its children, so a root is
// the smallest vertex of its tree.
std::vector<VertexID> parents;

VertexID find(VertexID v) {
  VertexID* const parent = parents.data();
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

// Returns true if this core has enough memory for serial_components().
bool fits_one_core(int64_t nv) {
  const double free = apps::available_bytes() / Grappa::detail::topology().machine_cores;
  return 2.0 * sizeof(VertexID) * double(nv) < free;
}

}  // namespace

GlobalAddress<VertexID> serial_components(const TupleGraph& graph) {
  const Grappa::Core here = Grappa::mycore();
  parents.clear();
  for (VertexID v = 0; v < graph.nv; ++v) parents.push_back(v);
  Grappa::forall(graph.edges, graph.nedge, [here](Grappa::TupleEdge& e) {
    const VertexID v0 = e.v0, v1 = e.v1;
    Grappa::delegate::call<Grappa::async>(here, [v0, v1] {
      const VertexID a = find(v0), b = find(v1);
      parents[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
    });
  });
  const auto smallest = Grappa::global_alloc<VertexID>(graph.nv);
  Grappa::finish([smallest, &graph] {
    for (VertexID v = 0; v < graph.nv; ++v) {
      Grappa::delegate::write<Grappa::async>(smallest + v, find(v));
    }
  });
  std::vector<VertexID>().swap(parents);
  return smallest;
}

Verifier::Verifier(const TupleGraph& graph, GlobalAddress<LabelGraph> g, VerifyLevel level)
    : graph_(graph), g_(g), level_(level) {
  if (level == VerifyLevel::Full && fits_one_core(graph.nv)) smallest_ = serial_components(graph);
}

Verifier::~Verifier() {
  if (smallest_) Grappa::global_free(smallest_);
}

Verdict Verifier::verify(GlobalAddress<VertexID> label) {
  Verdict verdict = apps::valid();
  if (level_ == VerifyLevel::None) return verdict;
  const GlobalAddress<LabelGraph> g = g_;
  Grappa::on_all_cores([label, g] {
    check = Check{label, g, std::vector<bool>(static_cast<size_t>(g->csr().vertices()))};
  });
  const int64_t nv = graph_.nv;
  Grappa::forall(label, nv, [nv](int64_t v, VertexID& its_label) {
    if (its_label >= 0 && its_label < nv) return;
    add_violation(1, v, "(a label is a vertex): its label is %1", its_label);
  });
  if (!(verdict = apps::take_verdict()).valid) return verdict;
  check_labels_and_edges(graph_);
  if (!(verdict = apps::take_verdict()).valid) return verdict;
  const int64_t labels = count_classes(label, nv);
  if (components_ < 0) {
    check_connected();
    if (!(verdict = apps::take_verdict()).valid) return verdict;
    components_ = labels;
  }
  verdict = compare_number(4, labels, components_);
  if (!verdict.valid || !smallest_) return verdict;
  Grappa::forall(smallest_, nv, [](int64_t v, VertexID& root) {
    check_equal(5, v, root,
                "(labels agree with a serial union-find): its label is %2, that of %1 in the same "
                "component is %3");
  });
  if (!(verdict = apps::take_verdict()).valid) return verdict;
  return compare_number(5, labels, count_classes(smallest_, nv));
}

double verify_bytes_needed(int64_t nv) { return 3.0 * sizeof(VertexID) * double(nv); }

}  // namespace cc
