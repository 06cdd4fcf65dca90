#include "apps/common/graph_report.hpp"

#include "apps/common/named_values.hpp"

namespace apps {

void print_graph(const GraphReport& graph, const std::string& algorithm, std::ostream& out) {
  out << "graph: " << graph.description << "\nvertices: " << graph.vertices
      << "\nedges: " << graph.edges << "\ncores: " << graph.cores << "\nalgorithm: " << algorithm
      << "\ninput ready in " << number("%.6f", graph.generation_seconds) << " s, graph built in "
      << number("%.6f", graph.construction_seconds) << " s";
  if (graph.edges > 0) {
    out << ", " << number("%.1f", graph.graph_bytes / double(graph.edges)) << " bytes an edge";
  }
  out << std::endl;
}

void print_scale(const GraphReport& graph, std::ostream& out) {
  if (!graph.kronecker) return;
  out << "SCALE: " << graph.scale << "\nedgefactor: " << graph.edgefactor << "\n";
}

void print_construction(const GraphReport& graph, std::ostream& out) {
  out << "graph_generation: " << number("%.6g", graph.generation_seconds) << "\n"
      << "num_mpi_processes: " << graph.cores << "\n"
      << "construction_time: " << number("%.6g", graph.construction_seconds) << "\n"
      << "construction_peak_bytes: " << number("%.0f", graph.construction_peak_bytes) << "\n"
      << "graph_bytes: " << number("%.0f", graph.graph_bytes) << "\n";
}

}  // namespace apps
