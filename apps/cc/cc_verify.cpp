#include "apps/cc/cc_verify.hpp"

#include "apps/common/classes.hpp"
#include "apps/common/memory.hpp"
#include "system/net/topology.hpp"

namespace cc {
namespace {

using apps::add_violation;

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

// Checks rules 1 to 3.
void check_labels_and_edges(const apps::InputEdges& edges) {
  const int64_t nv = edges.nv();
  Grappa::forall(check.label, nv, [nv](int64_t v, VertexID& its_label) {
    const VertexID label = its_label;
    if (label < 0 || label >= nv) {
      return add_violation(1, v, "(a label is a vertex): its label is %1", label);
    }
    with_label(label, [v, label](VertexID of_label) {
      if (of_label == label) return;
      add_violation(2, v, "(the label of a label is itself): its label is %1, whose label is %2",
                    label, of_label);
    });
  });
  edges.for_each([](VertexID v0, VertexID v1) {
    check_equal(3, v0, v1,
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

// Checks rule 4 by a search from all labels at once. If rule 3 holds, it stays in their classes.
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

// Checks rule 5, except for the number of labels.
void check_smallest(GlobalAddress<VertexID> smallest) {
  Grappa::forall(smallest, check.g->nv, [](int64_t v, VertexID& root) {
    check_equal(5, v, root,
                "(labels agree with a serial union-find): its label is %2, that of %1 in the same "
                "component is %3");
  });
}

// Checks the number of labels, for rule 4 or 5.
Verdict compare_number(int rule, int64_t labels, int64_t components) {
  if (labels == components) return apps::valid();
  return Verdict{false, rule, -1,
                 "the labels break rule " + std::to_string(rule) + ": there are " +
                     std::to_string(labels) + " labels, but " + std::to_string(components) +
                     " components"};
}

}  // namespace

Verifier::Verifier(const apps::InputEdges& edges, GlobalAddress<LabelGraph> g, VerifyLevel level)
    : edges_(edges), g_(g), level_(level) {
  const double free = apps::available_bytes() / Grappa::detail::topology().machine_cores;
  const bool fits = apps::serial_components_bytes(edges.nv()) < free;
  if (level == VerifyLevel::Full && fits) smallest_ = apps::serial_components(edges);
}

Verifier::~Verifier() {
  if (smallest_) Grappa::global_free(smallest_);
}

Verdict Verifier::verify(GlobalAddress<VertexID> label) {
  if (level_ == VerifyLevel::None) return apps::valid();
  const GlobalAddress<LabelGraph> g = g_;
  Grappa::on_all_cores([label, g] {
    check = Check{label, g, std::vector<bool>(static_cast<size_t>(g->csr().vertices()))};
  });
  // A check may run if a lower rule is broken, because the verdict names the lowest broken rule.
  check_labels_and_edges(edges_);
  const bool is_first = components_ < 0;
  if (is_first) check_connected();
  if (smallest_) check_smallest(smallest_);
  const Verdict verdict = apps::take_verdict();
  if (!verdict.valid) return verdict;
  const int64_t labels = apps::count_classes(label, edges_.nv());
  if (is_first) components_ = labels;
  if (labels != components_ || !smallest_) return compare_number(4, labels, components_);
  return compare_number(5, labels, apps::count_classes(smallest_, edges_.nv()));
}

double verify_bytes_needed(int64_t nv) { return 3.0 * sizeof(VertexID) * double(nv); }

}  // namespace cc
