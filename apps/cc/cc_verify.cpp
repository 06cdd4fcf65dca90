#include "apps/cc/cc_verify.hpp"

#include "apps/cc/serial_components.hpp"
#include "apps/common/complaints.hpp"

#include <sstream>
#include <vector>

namespace cc {
namespace {

// A vertex that breaks a rule, its label, and another vertex with its label.
struct Complaint {
  VertexID vertex;
  VertexID label;
  VertexID other;
  VertexID other_label;
};

// State of a verification on this core.
struct Check {
  GlobalAddress<VertexID> label;
  GlobalAddress<LabelGraph> g;
  std::vector<bool> reached;  // by local index
  apps::Complaints<Complaint, 5> complaints;
} check;

void complain(int rule, VertexID vertex, VertexID label, VertexID other, VertexID other_label) {
  check.complaints.add(rule, {vertex, label, other, other_label});
}

void begin_check(GlobalAddress<VertexID> label, GlobalAddress<LabelGraph> g) {
  Grappa::on_all_cores([label, g] {
    check = Check();
    check.label = label;
    check.g = g;
  });
}

bool any_complaints() {
  return Grappa::sum_all_cores([] { return check.complaints.count(); }) > 0;
}

// Rule 1.
void check_range(int64_t nv) {
  Grappa::forall(check.label, nv, [nv](int64_t v, VertexID& label) {
    if (label < 0 || label >= nv) complain(1, v, label, nv, nv);
  });
}

// Rule 2.
void check_labels_of_labels(int64_t nv) {
  Grappa::forall(check.label, nv, [](int64_t v, VertexID& its_label) {
    const VertexID label = its_label;
    Grappa::delegate::call<Grappa::async>(check.label + label, [v, label](VertexID& of_label) {
      if (of_label != label) complain(2, v, label, label, of_label);
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
        if (label1 != label0) complain(3, v0, label0, v1, label1);
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
      complain(4, id, its_label, its_label, its_label);
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
      Grappa::delegate::call<Grappa::async>(check.label + other,
                                            [v, label, other](VertexID& others) {
                                              if (others != label)
                                                complain(5, v, label, other, others);
                                            });
    });
  });
}

std::string describe(int rule, const Complaint& c) {
  std::ostringstream out;
  out << "vertex " << c.vertex << " breaks rule " << rule;
  switch (rule) {
    case 1: out << " (a label is a vertex): its label is " << c.label; break;
    case 2:
      out << " (the label of a label is itself): its label is " << c.label << ", whose label is "
          << c.other_label;
      break;
    case 3:
      out << " (edges join equal labels): its label is " << c.label
          << ", the label of its neighbour " << c.other << " is " << c.other_label;
      break;
    case 4:
      out << " (a vertex is connected with its label): no path leads from " << c.label << " to it";
      break;
    case 5:
      out << " (labels agree with a serial union-find): its label is " << c.label << ", that of "
          << c.other << " in the same component is " << c.other_label;
      break;
  }
  return out.str();
}

// The complaint about the lowest vertex for the lowest broken rule, over all cores.
Verdict complaint_verdict() {
  Grappa::on_all_cores([] { check.complaints.merge(); });
  const Complaint& complaint = check.complaints.first();
  const int rule = check.complaints.first_rule();
  return Verdict{false, rule, complaint.vertex, describe(rule, complaint)};
}

Verdict wrong_number(int rule, int64_t labels, int64_t components) {
  std::ostringstream out;
  out << "the labels break rule " << rule << ": there are " << labels << " labels, but "
      << components << " components";
  return Verdict{false, rule, -1, out.str()};
}

}  // namespace

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
  const Verdict valid = {true, 0, -1, ""};
  if (level_ == VerifyLevel::None) return valid;
  begin_check(label, g_);
  check_range(graph_.nv);
  if (any_complaints()) return complaint_verdict();
  check_labels_of_labels(graph_.nv);
  check_edges(graph_);
  if (any_complaints()) return complaint_verdict();
  const int64_t labels = count_labels(label, graph_.nv);
  if (components_ < 0) {
    check_connected(label, g_);
    if (any_complaints()) return complaint_verdict();
    components_ = labels;
  }
  if (labels != components_) return wrong_number(4, labels, components_);
  if (!smallest_) return valid;
  check_against_serial(smallest_, graph_.nv);
  if (any_complaints()) return complaint_verdict();
  const int64_t serial = count_labels(smallest_, graph_.nv);
  return labels == serial ? valid : wrong_number(5, labels, serial);
}

double verify_bytes_needed(int64_t nv) { return 3.0 * sizeof(VertexID) * double(nv); }

}  // namespace cc
