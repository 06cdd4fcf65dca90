#include <Grappa.hpp>

#include "structures/graph/graph.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "structures/text/line_writer.hpp"

#include <iostream>
#include <string>

using namespace Grappa;

DEFINE_string(picture, "", "output file for a picture of the graph (SVG)");

struct State {
  VertexID label;  // the smallest id that has arrived; nv before the first
};
typedef Graph<State> LabelGraph;
typedef LabelGraph::Vertex Vertex;
typedef LabelGraph::Edge Edge;

constexpr int64_t kRows = 9, kColumns = 24;

// If `label` is smaller than the label of `v`, stores it in `v` and sends it to all neighbours.
// Runs at the owner of `v`.
void offer(GlobalAddress<LabelGraph> g, Vertex& v, VertexID label) {
  if (label >= v->label) return;
  v->label = label;
  serial_for(adj(g, v), [g, label](Edge& e) {
    delegate::call<async>(e.ga, [g, label](Vertex& w) { offer(g, w, label); });
  });
}

// A vertex in the picture, and its edges to the vertices on the right and below.
struct Drawn {
  VertexID label;
  bool right, below;
};

Drawn look_at(GlobalAddress<LabelGraph> g, VertexID id) {
  return delegate::call(g->vs + id, [g, id](Vertex& v) {
    Drawn drawn = {v->label, false, false};
    serial_for(adj(g, v), [&drawn, id](Edge& e) {
      if (e.id == id + 1) drawn.right = true;
      if (e.id == id + kColumns) drawn.below = true;
    });
    return drawn;
  });
}

std::string line_to(VertexID id, int64_t dx, int64_t dy) {
  const std::string x = std::to_string(id % kColumns * 30 + 15);
  const std::string y = std::to_string(id / kColumns * 30 + 15);
  return "<path d=\"M" + x + " " + y + "l" + std::to_string(dx) + " " + std::to_string(dy) +
         "\" stroke=\"#888\"/>\n";
}

std::string dot(VertexID id, VertexID label) {
  return "<circle cx=\"" + std::to_string(id % kColumns * 30 + 15) + "\" cy=\"" +
         std::to_string(id / kColumns * 30 + 15) + "\" r=\"8\" fill=\"hsl(" +
         std::to_string(label * 137 % 360) + ",75%,55%)\"/>\n";
}

void draw(GlobalAddress<LabelGraph> g, const std::string& path) {
  const int64_t nv = g->nv;
  // Lines of the file for the edges, then for the vertices, which cover the ends of the edges.
  write_lines(path, 2 * nv, [g, nv](int64_t i, std::string* text) {
    if (i == 0) {
      *text += "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
               std::to_string(kColumns * 30) + "\" height=\"" + std::to_string(kRows * 30) +
               "\">\n";
    }
    const VertexID id = i % nv;
    const Drawn drawn = look_at(g, id);
    if (i >= nv) *text += dot(id, drawn.label);
    if (i < nv && drawn.right) *text += line_to(id, 30, 0);
    if (i < nv && drawn.below) *text += line_to(id, 0, 30);
    if (i == 2 * nv - 1) *text += "</svg>\n";
  });
}

Reducer<int64_t, ReducerType::Add> components;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // A grid. Each edge is kept with a probability of 0.55.
    TupleGraph edges = TupleGraph::Road(kRows, kColumns, 0.55, 1);
    GlobalAddress<LabelGraph> g = LabelGraph::create(edges);
    edges.destroy();

    forall(g, [g](Vertex& v) { v->label = g->nv; });
    forall(g, [g](VertexID id, Vertex& v) { offer(g, v, id); });

    // A component has the label of its smallest vertex.
    forall(g, [](VertexID id, Vertex& v) { components += v->label == id; });
    std::cout << g->nv << " vertices, " << g->nadj / 2 << " edges, " << components << " components"
              << std::endl;
    if (!FLAGS_picture.empty()) draw(g, FLAGS_picture);
    g->destroy();
  });
  return finalize();
}
