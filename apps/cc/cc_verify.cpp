#include "apps/cc/cc_verify.hpp"

#include "apps/common/memory.hpp"
#include "system/net/topology.hpp"

#include <algorithm>

namespace cc {
namespace {

using apps::add_violation;

// State of a verification on this core.
struct Check {
  GlobalAddress<VertexID> label;
  GlobalAddress<LabelGraph> g;
  std::vector<bool> reached;  // by local index
} check;

// Calls `body(label)` with the label of `v`, asynchronously.
template <class F>
void with_label(VertexID v, F body) {
  Grappa::delegate::call<Grappa::async>(check.label + v, [body](VertexID& label) { body(label); });
}

// Rule 1.
void check_range(int64_t nv) {
  Grappa::forall(check.label, nv, [nv](int64_t v, VertexID& label) {
    if (label < 0 || label >= nv)
      add_violation(1, v, "(a label is a vertex): its label is %1", label);
  });
}

// Rules 2 and 3.
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
    const VertexID v0 = e.v0, v1 = e.v1;
    with_label(v0, [v0, v1](VertexID label0) {
      with_label(v1, [v0, v1, label0](VertexID label1) {
        if (label1 == label0) return;
        add_violation(
            3, v0,
            "(edges join equal labels): its label is %2, the label of its neighbour %1 is %3", v1,
            label0, label1);
      });
    });
  });
}

// Continues the search from a vertex of this core, if the search reaches it for the first time.
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

// Rule 4, by a search from all labels at once. By rule 3, no edge leads to another class.
void check_connected() {
  Grappa::on_all_cores([] { check.reached.assign(size_t(check.g->csr().vertices()), false); });
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

// Rule 5: vertices of the same union-find component must have equal labels. The caller compares the
// number of labels with the number of roots.
void check_against_serial(GlobalAddress<VertexID> smallest, int64_t nv) {
  Grappa::forall(smallest, nv, [](int64_t v, VertexID& root) {
    const VertexID other = root;
    with_label(v, [v, other](VertexID label) {
      with_label(other, [v, label, other](VertexID others) {
        if (others == label) return;
        add_violation(5, v,
                      "(labels agree with a serial union-find): its label is %2, that of %1 in the "
                      "same component is %3",
                      other, label, others);
      });
    });
  });
}

Verdict wrong_number(int rule, int64_t labels, int64_t components) {
  return Verdict{false, rule, -1,
                 "the labels break rule " + std::to_string(rule) + ": there are " +
                     std::to_string(labels) + " labels, but " + std::to_string(components) +
                     " components"};
}

// Serial union-find. A parent has a smaller number than its children, so a root is the smallest
// vertex of its tree.
std::vector<VertexID> parents;  // on the core that runs the union-find

VertexID find(VertexID v) {
  VertexID* const parent = parents.data();
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

// True if this core has enough memory for serial_components().
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

int64_t count_labels(GlobalAddress<VertexID> label, int64_t nv) {
  static Grappa::Reducer<int64_t, Grappa::ReducerType::Add> labels;
  labels.reset();
  Grappa::forall(label, nv, [](int64_t v, VertexID& its_label) { labels += its_label == v; });
  return labels;
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
  Grappa::on_all_cores([label, g] { check = Check{label, g, {}}; });
  check_range(graph_.nv);
  if (!(verdict = apps::take_verdict()).valid) return verdict;
  check_labels_and_edges(graph_);
  if (!(verdict = apps::take_verdict()).valid) return verdict;
  const int64_t labels = count_labels(label, graph_.nv);
  if (components_ < 0) {
    check_connected();
    if (!(verdict = apps::take_verdict()).valid) return verdict;
    components_ = labels;
  }
  if (labels != components_) return wrong_number(4, labels, components_);
  if (!smallest_) return verdict;
  check_against_serial(smallest_, graph_.nv);
  if (!(verdict = apps::take_verdict()).valid) return verdict;
  const int64_t serial = count_labels(smallest_, graph_.nv);
  return labels == serial ? verdict : wrong_number(5, labels, serial);
}

double verify_bytes_needed(int64_t nv) { return 3.0 * sizeof(VertexID) * double(nv); }

}  // namespace cc
