#pragma once

/// The lines of text files of graphs: edge lists, Matrix Market and METIS files. Parsers keep no
/// state between lines, so every core can parse its own part of a file.
///
/// A line is passed without its '\n', and one '\r' at its end (DOS) is dropped. The message about a
/// bad line is one printable line, whatever bytes the line has. In an edge list, blank lines and
/// comments (`#` or `%`) are skipped. Files of KONECT have a weight and a time stamp.
///
/// Matrix Market: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats: Initial
/// Design", NIST 5935, 1996. Accepted: `matrix coordinate`, `pattern | integer | real`, `general |
/// symmetric`, square. A value is the weight of an edge. An entry of a symmetric matrix also
/// represents its mirror image.

#include "structures/graph/edge.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace Grappa { namespace detail {

/// True if the line is blank, or a comment that starts with one of the `marks`.
bool is_blank_or_comment(const char* first, const char* last, const char* marks);

/// The parsers of a line set their result and return true, or set `problem` and return false. Lines
/// for edges, which follow the size line in Matrix Market, must not be blank or comments. If
/// `attributes` is not null, a line of an edge list must have a weight.
bool parse_edge_list_line(const char* first, const char* last, TupleEdge* edge,
                          EdgeAttributes* attributes, std::string* problem);
constexpr const char* kEdgeListMarks = "#%";
constexpr const char* kMatrixMarketMarks = "%";

enum class MatrixField { kPattern, kInteger, kReal };

struct MatrixMarketHeader {
  MatrixField field;
  int64_t rows;  // number of rows, of columns, and of vertices
  int64_t entries;
};

/// Parses the first line of the file and sets `field`.
bool parse_matrix_market_banner(const char* first, const char* last, MatrixMarketHeader* header,
                                std::string* problem);

/// Parses the first line after the banner that is neither blank nor a comment. Sets the counts.
bool parse_matrix_market_size(const char* first, const char* last, MatrixMarketHeader* header,
                              std::string* problem);

bool parse_matrix_market_entry(const char* first, const char* last,
                               const MatrixMarketHeader& header, TupleEdge* edge,
                               EdgeAttributes* attributes, std::string* problem);

/// A METIS graph file has a header line and a line for each vertex, which may be blank. G. Karypis,
/// "METIS: A Software Package for Partitioning Unstructured Graphs ... Version 5.1.0", section 4.1.
struct MetisHeader {
  int64_t nv;
  int64_t nedge;        // each edge counted once
  int64_t weights;      // numbers before the neighbours of a vertex: its size and its weights
  bool weighted_edges;  // a weight follows each neighbour
};

/// A line of a METIS file that starts with `%`. Blank lines are vertices.
bool is_metis_comment(const char* first, const char* last);

/// Parses the first line that is neither blank nor a comment.
bool parse_metis_header(const char* first, const char* last, MetisHeader* header,
                        std::string* problem);

/// Parses the line of the vertex `v`, which must not be a comment. Calls `visit` for the neighbours
/// in order, until it returns false and sets `problem`. Ids count from 0, but from 1 in the line.
/// The weight of an edge is 0 if edges have no weights.
typedef std::function<bool(VertexID neighbour, double weight, std::string* problem)> NeighbourBody;
bool parse_metis_line(const char* first, const char* last, const MetisHeader& header, VertexID v,
                      const NeighbourBody& visit, std::string* problem);

/// Writes the line of an edge, with its '\n', and returns the end of the line. Both ids must be 0
/// or more. Adds `first_id` (1 for Matrix Market, otherwise 0) to both.
char* write_edge_line(const TupleEdge& edge, VertexID first_id, char separator, char* to);

/// Writes the line of an edge with its weight, and with its time stamp if that is not 0. They are
/// read as the same numbers.
char* write_weighted_line(const TupleEdge& edge, const EdgeAttributes& attributes, char* to);
constexpr int64_t kMostLineBytes = 2 * 19 + 2 + 2 * 25;

/// Returns the lines before the entries of a Matrix Market file.
std::string matrix_market_header(int64_t nv, int64_t nedge);

/// Returns the first line of a METIS file without weights, with its '\n'.
std::string metis_header_line(int64_t nv, int64_t nedge);

}}  // namespace Grappa::detail
