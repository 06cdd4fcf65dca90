// Writes the edges of a graph to a file, on all cores in parallel. Every core has an equal share of
// consecutive edges and encodes them twice, in pieces of 1 MiB: first to compute their size and to
// check their ids, then to write them to its range of the file. Formats of lists are written from
// the lists of neighbours (list_save.hpp).

#include "structures/graph/file/file_parts.hpp"
#include "structures/graph/file/graph_format.hpp"
#include "structures/graph/file/list_save.hpp"
#include "structures/graph/file/text_format.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "structures/text/open_file.hpp"
#include "structures/text/quoted.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fcntl.h>
#include <vector>

namespace Grappa {
namespace detail { namespace {

constexpr int64_t kPieceEdges = 1 << 16;  // 1 MiB of edges

// Sent by value.
struct EdgeSavePlan {
  TupleGraph graph;
  GraphFormat format;
  int64_t header_bytes;
};

struct Piece {
  int64_t first, count;
  const TupleEdge* edges;
  const EdgeAttributes* attributes;  // if the format needs weights
};

// Encodes the edges and returns the number of bytes.
int64_t encode(GraphFormat format, const Piece& piece, char* to) {
  if (record_bytes(format) != 0) {
    encode_records(format, piece.edges, piece.count, to);
    return piece.count * record_bytes(format);
  }
  const VertexID first_id = format == GraphFormat::kMatrixMarket ? 1 : 0;
  const char separator = format == GraphFormat::kTabSeparated ? '\t' : ' ';
  char* at = to;
  for (int64_t k = 0; k < piece.count; ++k) {
    at = format == GraphFormat::kWeightedEdgeList
             ? write_weighted_line(piece.edges[k], piece.attributes[k], at)
             : write_edge_line(piece.edges[k], first_id, separator, at);
  }
  return at - to;
}

// Calls visit(piece, buffer) for each piece of this core's edges, in order, until `visit` returns
// false. The buffer is large enough for the encoded piece.
template <class Visit>
void for_each_piece(const EdgeSavePlan& plan, Visit visit) {
  const int64_t begin = share_begin(plan.graph.nedge, mycore());
  const int64_t end = share_begin(plan.graph.nedge, mycore() + 1);
  const int64_t piece = std::min(kPieceEdges, end - begin);
  const bool weighted = needs_weights(plan.format);
  std::vector<TupleEdge> edges(static_cast<size_t>(piece));
  std::vector<EdgeAttributes> attributes(weighted ? edges.size() : 0);
  std::vector<char> encoded(size_t(piece * std::max(record_bytes(plan.format), kMostLineBytes)));
  for (int64_t at = begin; at < end; at += piece) {
    const int64_t count = std::min(piece, end - at);
    memcpy(edges.data(), plan.graph.edges + at, count);
    if (weighted) memcpy(attributes.data(), plan.graph.attributes + at, count);
    if (!visit({at, count, edges.data(), attributes.data()}, encoded.data())) return;
  }
}

std::string unfit(const EdgeSavePlan& plan, int64_t place, const TupleEdge& edge) {
  const VertexID low = std::min(edge.v0, edge.v1);
  const VertexID id = low < 0 ? low : std::max(edge.v0, edge.v1);
  return "edges[" + std::to_string(place) + "] has the vertex id " + std::to_string(id) + ", but " +
         (id < 0 || id >= plan.graph.nv
              ? "the graph has " + std::to_string(plan.graph.nv) + " vertices"
              : std::string("the largest id in format ") + format_name(plan.format) + " is " +
                    std::to_string(largest_id(plan.format)));
}

bool is_gap_weight(double weight) {
  return weight >= INT32_MIN && weight <= INT32_MAX && weight == std::trunc(weight);
}

std::string unfit_weight(int64_t place, double weight) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, weight).ptr;
  return "edges[" + std::to_string(place) + "] has the weight " +
         std::string(digits, size_t(end - digits)) +
         ", but a weight in format wsg is a whole number from " + std::to_string(INT32_MIN) +
         " to " + std::to_string(INT32_MAX) + "; write a .wel file";
}

// Sets the size of this core's part in bytes, or the problem of its first edge that does not fit.
void measure_part(const EdgeSavePlan& plan, GraphPart* part) {
  const VertexID largest = std::min(largest_id(plan.format), plan.graph.nv - 1);
  for_each_piece(plan, [&](const Piece& piece, char* encoded) {
    for (int64_t k = 0; k < piece.count; ++k) {
      const TupleEdge& edge = piece.edges[k];
      const int64_t place = piece.first + k;
      std::string problem;
      if (std::min(edge.v0, edge.v1) < 0 || std::max(edge.v0, edge.v1) > largest) {
        problem = unfit(plan, place, edge);
      } else if (plan.format == GraphFormat::kWeightedGap &&
                 !is_gap_weight(piece.attributes[k].weight)) {
        problem = unfit_weight(place, piece.attributes[k].weight);
      } else {
        continue;
      }
      part->problem = problem_of_file(place, problem);
      return false;
    }
    if (holds_pairs(plan.format)) part->size += encode(plan.format, piece, encoded);
    return true;
  });
}

void write_part(const std::string& path, const EdgeSavePlan& plan, GraphPart* part) {
  int64_t at = plan.header_bytes + part->start;
  OpenFile file(path, O_WRONLY);
  bool good = file.fd() >= 0;
  const std::string what = good ? "cannot be written on core " : "cannot be opened again on core ";
  if (good) {
    for_each_piece(plan, [&](const Piece& piece, char* encoded) {
      const int64_t bytes = encode(plan.format, piece, encoded);
      good = write_fully(file.fd(), encoded, bytes, at);
      if (good) at += bytes;
      return good;
    });
    good = good && file.close();
  }
  if (!good) part->problem = problem_of_file(at, with_errno(what + std::to_string(mycore())));
}

// Returns "" if the graph can be saved, otherwise the reason.
std::string check_graph(const TupleGraph& graph, const std::string& path, GraphFormat format) {
  const std::string unwritable = why_unwritable(path, format, bool(graph.attributes));
  if (!unwritable.empty()) return unwritable;
  if (graph.nv == 0)
    return "a graph without vertices cannot be saved: it could not be loaded again";
  if (graph.nedge == 0 && format != GraphFormat::kMatrixMarket && holds_pairs(format)) {
    return "a graph without edges can be saved only in the formats mm, metis, sg and wsg";
  }
  return "";
}

// Returns "" or the error message.
std::string write_graph_file(const TupleGraph& graph, const std::string& path,
                             const std::string& format) {
  const GraphFormat known = graph_format(path, format);
  if (known == GraphFormat::kUnknown) return unknown_format(path, format);
  std::string problem = check_graph(graph, path, known);
  NewFile file(path);
  if (problem.empty()) problem = file.problem();
  if (!problem.empty()) return printable(path) + ": " + problem;

  const bool is_matrix = known == GraphFormat::kMatrixMarket;
  const std::string header = is_matrix ? matrix_market_header(graph.nv, graph.nedge) : "";
  const EdgeSavePlan plan = {graph, known, int64_t(header.size())};
  const GlobalAddress<GraphPart> parts = symmetric<GraphPart>();
  on_all_cores([parts, plan] { measure_part(plan, parts.operator->()); });
  problem = sum_parts(parts).problem.sentence;
  if (problem.empty() && !holds_pairs(known)) {
    global_free(parts);
    std::string error;
    try_save_lists(graph, known, path, &error);
    return error;
  }
  if (problem.empty() && !file.make()) problem = file.problem();
  if (problem.empty()) {
    problem =
        write_parts(&file, header, parts, [plan](const std::string& path_here, GraphPart* part) {
          write_part(path_here, plan, part);
        });
  }
  global_free(parts);
  if (problem.empty() && !file.put_in_place()) problem = file.problem();
  return problem.empty() ? "" : printable(path) + ": " + problem;
}

}}  // namespace detail

bool TupleGraph::try_save(const std::string& path, const std::string& format,
                          std::string* error) const {
  *error = detail::write_graph_file(*this, path, format);
  return error->empty();
}

}  // namespace Grappa
