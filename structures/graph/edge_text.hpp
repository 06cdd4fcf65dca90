#pragma once

/// Lines of the text formats for graphs, parsed one at a time and without memory between them, so
/// that every core can parse its own part of a file. A line is given without its '\n'; one '\r' at
/// its end (DOS) is dropped. A bad line yields a sentence that fits on one line of a terminal,
/// whatever bytes the file holds.
///
/// Edge list: two vertex ids (whole numbers from 0) separated by spaces or tabs, then at most two
/// numbers (a weight, a time stamp: `.wel` files and KONECT have them), which are checked and
/// ignored. Blank lines and comments (lines that begin with `#` or `%`) are skipped.
///
/// Matrix Market: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats: Initial
/// Design", NIST 5935, 1996. Accepted: `matrix coordinate`, `pattern | integer | real`,
/// `general | symmetric`, square. Ids count from 1; values are checked and ignored. An entry of a
/// symmetric matrix stands for itself and its mirror image: as an undirected edge it counts once.

#include "structures/graph/edge.hpp"

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

enum class LineKind { kEdge, kSkipped, kBad };

/// `problem` is set when the answer is kBad, `edge` when it is kEdge.
LineKind parse_edge_list_line(const char* first, const char* last, TupleEdge* edge,
                              std::string* problem);

enum class MatrixField { kPattern, kInteger, kReal };

struct MatrixMarketHeader {
  MatrixField field;
  bool symmetric;
  int64_t rows;  // and columns: vertices of the graph
  int64_t entries;
};

/// The first line of the file. Sets `field` and `symmetric`; false and a sentence if it is not one
/// that describes a graph.
bool parse_matrix_market_banner(const char* first, const char* last, MatrixMarketHeader* header,
                                std::string* problem);

/// The first line after the banner that is neither blank nor a comment. Sets the counts.
bool parse_matrix_market_size(const char* first, const char* last, MatrixMarketHeader* header,
                              std::string* problem);

/// A line after the size line; skips blank lines and comments (`%`).
LineKind parse_matrix_market_entry(const char* first, const char* last,
                                   const MatrixMarketHeader& header, TupleEdge* edge,
                                   std::string* problem);

/// Writes the line of an edge, with its '\n', and returns where it ends. Neither id is negative;
/// `first_id` (0, or 1 for Matrix Market) is added to both.
char* write_edge_line(const TupleEdge& edge, VertexID first_id, char separator, char* to);

/// The most bytes that write_edge_line writes.
constexpr int64_t kMostLineBytes = 2 * 19 + 2;

/// The lines before the entries of a file that write_edge_line(edge, 1, ' ', ...) writes.
std::string matrix_market_header(int64_t nv, int64_t nedge);

/// True if the line holds nothing, or a comment that starts with one of the `marks`.
bool is_blank_or_comment(const char* first, const char* last, const char* marks);

/// Text from a file or a user in double quotes, for messages: at most 40 characters of it, quotes,
/// backslashes and all that is not printable ASCII escaped.
std::string quoted(const char* first, const char* last);

/// `text` whole, with control characters escaped: for paths in messages.
std::string printable(const std::string& text);

}  // namespace detail
}  // namespace Grappa
