#include "apps/cc/traversals.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace cc {
namespace {

// Meetings that a task records one after the other: few, so that many tasks wait at a time.
constexpr size_t kMeetingsOfTask = 64;

// Vertices of this core from which a traversal of the round starts.
struct Section {
  int64_t next;  // place
  int64_t end;
};

// What this core has of the phase.
struct Phase {
  GlobalAddress<LabelGraph> g;
  RecordMeetings record;
  std::vector<Section> sections;
  std::vector<RootPair> met;  // not yet given to a task
} phase;

// In a task, for all of which the scope of the traversal waits.
void record_met() {
  if (phase.met.empty()) return;
  std::vector<RootPair>* const batch = new std::vector<RootPair>(std::move(phase.met));
  phase.met.clear();
  phase.met.reserve(kMeetingsOfTask);
  Grappa::spawn([batch] {
    phase.record(batch->data(), static_cast<int64_t>(batch->size()));
    delete batch;
  });
}

void expand(Vertex& v);

// A traversal comes to a neighbour of what it has claimed.
struct Visit {
  VertexID root;

  void operator()(Vertex& v) const {
    if (v->label == kNoLabel) {
      v->label = root;
      expand(v);
    } else if (v->label != root) {
      phase.met.push_back(RootPair::of(v->label, root));
      if (phase.met.size() >= kMeetingsOfTask) record_met();
    }
  }
};

void expand(Vertex& v) {
  const Visit visit = {v->label};
  Grappa::forall<Grappa::async>(Grappa::adj(phase.g, v), [visit](LabelGraph::Edge& e) {
    Grappa::delegate::call<Grappa::async>(e.ga, visit);
  });
}

Vertex& vertex_at(int64_t place) { return phase.g->vs.localize()[place]; }

void divide_vertices(int64_t roots) {
  const int64_t n = phase.g->csr().vertices();
  phase.sections.clear();
  for (int64_t i = 0; i < roots; ++i) {
    phase.sections.push_back(Section{n * i / roots, n * (i + 1) / roots});
  }
}

// Starts a traversal in each section that has an unclaimed vertex left; returns how many.
int64_t start_round() {
  int64_t started = 0;
  for (Section& section : phase.sections) {
    while (section.next < section.end && vertex_at(section.next)->label != kNoLabel) ++section.next;
    if (section.next == section.end) continue;
    Vertex& root = vertex_at(section.next);
    root->label = phase.g->id(root);
    expand(root);
    ++started;
  }
  return started;
}

// Of this core, with those of all others.
void run_rounds(int64_t roots) {
  divide_vertices(roots);
  int64_t started = 0;
  do {
    Grappa::finish([&started] { started = start_round(); });
    started = Grappa::allreduce<int64_t, Grappa::collective_add>(started);
  } while (started > 0);
  Grappa::finish([] { record_met(); });
}

}  // namespace

void traverse_all(GlobalAddress<LabelGraph> g, int64_t concurrent_roots, RecordMeetings record) {
  const int64_t roots = std::max<int64_t>(1, concurrent_roots / Grappa::cores());
  // A vertex without neighbours meets nobody.
  Grappa::forall(g, [](VertexID id, Vertex& v) { v->label = v.nadj == 0 ? id : kNoLabel; });
  Grappa::on_all_cores([g, roots, record] {
    phase.g = g;
    phase.record = record;
    run_rounds(roots);
    phase = Phase();
  });
}

}  // namespace cc
