#pragma once

/// The description of a graph that programs on graphs print.

#include <cstdint>
#include <ostream>
#include <string>

namespace apps {

struct GraphReport {
  std::string description;  // description for the output
  bool kronecker;           // true for a Kronecker graph with these parameters:
  int64_t scale;
  int64_t edgefactor;
  uint64_t seed;
  int64_t vertices;
  int64_t edges;  // input edges
  int64_t cores;
  double generation_seconds;       // to generate or read the edges
  double construction_seconds;     // to build the lists of neighbours
  double graph_bytes;              // memory of the lists and the vertices
  double construction_peak_bytes;  // memory growth of all cores until then, including the edges
};

/// Prints the graph and the algorithm, before the work.
void print_graph(const GraphReport& graph, const std::string& algorithm, std::ostream& out);

/// Prints the parameters SCALE and edgefactor, if any, and the cost of the construction, under the
/// names of the Graph500 reference codes where such a name exists. To be called after the work.
void print_scale(const GraphReport& graph, std::ostream& out);
void print_construction(const GraphReport& graph, std::ostream& out);

}  // namespace apps
