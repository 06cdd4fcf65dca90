#pragma once

/// What programs on graphs say of the graph.

#include <cstdint>
#include <ostream>
#include <string>

namespace apps {

struct GraphReport {
  std::string description;  // in words
  bool kronecker;           // it is one, of
  int64_t scale;
  int64_t edgefactor;
  uint64_t seed;
  int64_t vertices;
  int64_t edges;  // input edges
  int64_t cores;
  double generation_seconds;       // or reading
  double construction_seconds;     // of the lists of neighbours
  double graph_bytes;              // that they and the vertices take
  double construction_peak_bytes;  // by which all cores grew until then, the edges included
};

/// Before the work: the graph, and what is done with it.
void print_graph(const GraphReport& graph, const std::string& algorithm, std::ostream& out);

/// Afterwards, under the names of the Graph500 reference codes where they have one: SCALE and
/// edgefactor, if there are; and what building it has taken.
void print_scale(const GraphReport& graph, std::ostream& out);
void print_construction(const GraphReport& graph, std::ostream& out);

}  // namespace apps
