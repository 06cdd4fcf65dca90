#include "apps/cc/cc_verify.hpp"

#include "apps/common/memory.hpp"
#include "system/net/topology.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace cc {
namespace {

using apps::add_violation;

// State of a verification on this core.
struct Check {
  GlobalAddress<VertexID> label;
  GlobalAddress<LabelGraph> g;
  std::vector<bool> reached;  // by local index
} check;

// Rule 1.
void check_range(int64_t nv) {
  Grappa::forall(check.label, nv, [nv](int64_t v, VertexID& label) {
    if (label < 0 || label >= nv)
      add_violation(1, v, "(a label is a vertex): its label is %1", label);
  });
}

// Rule 2.
void check_labels_of_labels(int64_t nv) {
  Grappa::forall(check.label, nv, [](int64_t v, VertexID& its_label) {
    const VertexID label = its_label;
    Grappa::delegate::call<Grappa::async>(check.label + label, [v, label](VertexID& of_label) {
      if (of_label == label) return;
      add_violation(2, v, "(the label of a label is itself): its label is %1, whose label is %2",
                    label, of_label);
    });
  });
}

// Rule 3.
void check_edges(const TupleGraph& graph) {
  Grappa::forall(graph.edges, graph.nedge, [](TupleGraph::Edge& e) {
    const VertexID v0 = e.v0, v1 = e.v1;
    Grappa::delegate::call<Grappa::async>(check.label + v0, [v0, v1](VertexID& label) {
      const VertexID label0 = label;
      Grappa::delegate::call<Grappa::async>(check.label + v1, [v0, v1, label0](VertexID& label1) {
        if (label1 == label0) return;
        add_violation(
            3, v0,
            "(edges join equal labels): its label is %2, the label of its neighbour %1 is %3", v1,
            label0, label1);
      });
    });
  });
}

void reach(Vertex& v);

struct Reach {
  void operator()(Vertex& v) const { reach(v); }
};

// Continues the search from a vertex of this core, if the search reaches it for the first time.
void reach(Vertex& v) {
  const size_t place = static_cast<size_t>(&v - check.g->vs.localize());
  if (check.reached[place]) return;
  check.reached[place] = true;
  Grappa::forall<Grappa::async>(Grappa::adj(check.g, v), [](LabelGraph::Edge& e) {
    Grappa::delegate::call<Grappa::async>(e.ga, Reach());
  });
}

// Rule 4, by a search from all labels at once. By rule 3, no edge leads to another class.
void check_connected(GlobalAddress<VertexID> label, GlobalAddress<LabelGraph> g) {
  Grappa::on_all_cores([g] { check.reached.assign(size_t(g->csr().vertices()), false); });
  Grappa::forall(label, g->nv, [g](int64_t v, VertexID& its_label) {
    if (its_label == v) Grappa::delegate::call<Grappa::async>(g->vs + v, Reach());
  });
  Grappa::forall(g, [label](VertexID id, Vertex& v) {
    if (check.reached[static_cast<size_t>(&v - check.g->vs.localize())]) return;
    Grappa::delegate::call<Grappa::async>(label + id, [id](VertexID& its_label) {
      add_violation(4, id, "(a vertex is connected with its label): no path leads from %1 to it",
                    its_label);
    });
  });
}

// Rule 5: vertices of the same union-find component must have equal labels. The caller compares the
// number of labels with the number of roots.
void check_against_serial(GlobalAddress<VertexID> smallest, int64_t nv) {
  Grappa::forall(smallest, nv, [](int64_t v, VertexID& root) {
    const VertexID other = root;
    Grappa::delegate::call<Grappa::async>(check.label + v, [v, other](VertexID& its_label) {
      const VertexID label = its_label;
      const auto compare = [v, label, other](VertexID& others) {
        if (others == label) return;
        add_violation(5, v,
                      "(labels agree with a serial union-find): its label is %2, that of %1 in the "
                      "same component is %3",
                      other, label, others);
      };
      Grappa::delegate::call<Grappa::async>(check.label + other, compare);
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

VertexID& parent_of(VertexID v) { return parents[static_cast<size_t>(v)]; }

VertexID find(VertexID v) {
  while (parent_of(v) != v) v = parent_of(v) = parent_of(parent_of(v));
  return v;
}

struct Unite {
  VertexID a;
  VertexID b;
  void operator()() const {
    const std::pair<VertexID, VertexID> roots = std::minmax({find(a), find(b)});
    parent_of(roots.second) = roots.first;
  }
};

// True if this core has enough memory for serial_components().
bool fits_one_core(int64_t nv) {
  const double free = apps::available_bytes() / Grappa::detail::topology().machine_cores;
  return 2.0 * sizeof(VertexID) * double(nv) < free;
}

}  // namespace

GlobalAddress<VertexID> serial_components(const TupleGraph& graph) {
  const Grappa::Core here = Grappa::mycore();
  parents.resize(static_cast<size_t>(graph.nv));
  for (VertexID v = 0; v < graph.nv; ++v) parent_of(v) = v;
  Grappa::forall(graph.edges, graph.nedge, [here](Grappa::TupleEdge& e) {
    Grappa::delegate::call<Grappa::async>(here, Unite{e.v0, e.v1});
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
  static int64_t own_labels;  // number of labels on this core
  Grappa::call_on_all_cores([] { own_labels = 0; });
  Grappa::forall(label, nv, [](int64_t v, VertexID& its_label) { own_labels += its_label == v; });
  return Grappa::sum_all_cores([] { return own_labels; });
}

Verifier::Verifier(const TupleGraph& graph, GlobalAddress<LabelGraph> g, VerifyLevel level)
    : graph_(graph), g_(g), level_(level) {
  if (level == VerifyLevel::Full && fits_one_core(graph.nv)) smallest_ = serial_components(graph);
}

Verifier::~Verifier() {
  if (smallest_) Grappa::global_free(smallest_);
}

Verdict Verifier::verify(GlobalAddress<VertexID> label) {
  if (level_ == VerifyLevel::None) return apps::valid();
  const GlobalAddress<LabelGraph> g = g_;
  Grappa::on_all_cores([label, g] { check = Check{label, g, {}}; });
  check_range(graph_.nv);
  Verdict verdict = apps::take_verdict();
  if (!verdict.valid) return verdict;
  check_labels_of_labels(graph_.nv);
  check_edges(graph_);
  verdict = apps::take_verdict();
  if (!verdict.valid) return verdict;
  const int64_t labels = count_labels(label, graph_.nv);
  if (components_ < 0) {
    check_connected(label, g_);
    verdict = apps::take_verdict();
    if (!verdict.valid) return verdict;
    components_ = labels;
  }
  if (labels != components_) return wrong_number(4, labels, components_);
  if (!smallest_) return verdict;
  check_against_serial(smallest_, graph_.nv);
  verdict = apps::take_verdict();
  const int64_t serial = count_labels(smallest_, graph_.nv);
  return !verdict.valid || labels == serial ? verdict : wrong_number(5, labels, serial);
}

double verify_bytes_needed(int64_t nv) { return 3.0 * sizeof(VertexID) * double(nv); }

}  // namespace cc
