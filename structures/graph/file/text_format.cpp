#include "structures/graph/file/text_format.hpp"

#include "structures/graph/file/graph_format.hpp"
#include "structures/text/quoted.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <strings.h>
#include <system_error>

namespace Grappa::detail {
namespace {

typedef std::string_view Token;

std::string quote(Token token) { return quoted(token.data(), token.data() + token.size()); }

bool fails(const std::string& sentence, std::string* problem) {
  *problem = sentence;
  return false;
}

bool is(Token token, Token word) {
  return token.size() == word.size() && ::strncasecmp(token.data(), word.data(), word.size()) == 0;
}

// Returns the line without its '\r'.
Token line_of(const char* first, const char* last) {
  return Token(first, size_t(last - first) - (first != last && last[-1] == '\r' ? 1 : 0));
}

// Removes the next token from the line. Returns an empty token at the end of the line.
Token next_token(Token* line) {
  const auto is_separator = [](char c) { return c == ' ' || c == '\t'; };
  const char* const end = line->data() + line->size();
  const char* const first = std::find_if_not(line->data(), end, is_separator);
  const char* const last = std::find_if(first, end, is_separator);
  *line = Token(last, size_t(end - last));
  return Token(first, size_t(last - first));
}

enum class Number { kGood, kNegative, kTooLarge, kNotOne };

// Parses an integer. Ids and counts have no plus sign.
Number parse_count(Token token, int64_t* value) {
  const char* const last = token.data() + token.size();
  const auto result = std::from_chars(token.data(), last, *value);
  if (token.empty() || result.ptr != last) return Number::kNotOne;
  if (token.front() == '-') return Number::kNegative;
  if (result.ec == std::errc::result_out_of_range) return Number::kTooLarge;
  return result.ec == std::errc() ? Number::kGood : Number::kNotOne;
}

// Parses a number. If it is out of range, the value does not change.
template <typename T>
bool parse_number(Token token, T* value) {
  if (token.substr(0, 2) == "+-") return false;
  if (token.substr(0, 1) == "+") token.remove_prefix(1);
  const char* const last = token.data() + token.size();
  const auto result = std::from_chars(token.data(), last, *value);
  return result.ptr == last && result.ec != std::errc::invalid_argument;
}

// A number that is too large or too small for a double becomes NaN.
bool parse_real(Token token, double* value) {
  *value = std::numeric_limits<double>::quiet_NaN();
  return parse_number(token, value);
}

bool parse_id(Token token, int64_t* id, std::string* problem) {
  const Number kind = parse_count(token, id);
  if (kind == Number::kGood) return true;
  *problem = kind == Number::kNegative   ? "vertex id " + quote(token) + " is negative"
             : kind == Number::kTooLarge ? "vertex id " + quote(token) + " does not fit in 64 bits"
             : token.empty()             ? "only one vertex id; an edge needs two"
                                         : quote(token) + " is not a vertex id (a whole number)";
  return false;
}

bool parse_both_ids(Token* line, TupleEdge* edge, std::string* problem) {
  return parse_id(next_token(line), &edge->v0, problem) &&
         parse_id(next_token(line), &edge->v1, problem);
}

bool only(const char* what, Token rest, std::string* problem) {
  return rest.empty() || fails("unexpected " + quote(rest) + " after " + what, problem);
}

bool parse_extra_columns(Token* line, EdgeAttributes* attributes, std::string* problem) {
  EdgeAttributes ignored;
  const bool needs_weight = attributes != nullptr;
  EdgeAttributes* const its = needs_weight ? attributes : &ignored;
  its->time = 0;
  for (double* value : {&its->weight, &its->time}) {
    const Token extra = next_token(line);
    if (extra.empty()) {
      return value == &its->time || !needs_weight ||
             fails("no weight after the two vertex ids", problem);
    }
    if (!parse_real(extra, value)) {
      return fails(quote(extra) + " is not a number (a weight or a time stamp)", problem);
    }
  }
  return only("two vertex ids, a weight and a time stamp", next_token(line), problem);
}

bool parse_value(MatrixField field, Token token, double* value, std::string* problem) {
  const bool integer = field == MatrixField::kInteger;
  int64_t whole;
  if ((!integer || parse_number(token, &whole)) && parse_real(token, value)) return true;
  const std::string kind = integer ? "an integer number" : "a real number";
  return fails(
      token.empty() ? "no value; the banner declares " + kind : quote(token) + " is not " + kind,
      problem);
}

}  // namespace

bool is_blank_or_comment(const char* first, const char* last, const char* marks) {
  Token line = line_of(first, last);
  const Token token = next_token(&line);
  return token.empty() || std::string_view(marks).find(token.front()) != Token::npos;
}

bool parse_edge_list_line(const char* first, const char* last, TupleEdge* edge,
                          EdgeAttributes* attributes, std::string* problem) {
  Token line = line_of(first, last);
  return parse_both_ids(&line, edge, problem) && parse_extra_columns(&line, attributes, problem);
}

bool parse_matrix_market_banner(const char* first, const char* last, MatrixMarketHeader* header,
                                std::string* problem) {
  Token line = line_of(first, last);
  const Token banner = next_token(&line), object = next_token(&line), format = next_token(&line),
              field = next_token(&line), symmetry = next_token(&line);
  if (!is(banner, "%%matrixmarket")) {
    return fails("a Matrix Market file starts with %%MatrixMarket, not with " + quote(banner),
                 problem);
  }
  const bool pattern = is(field, "pattern"), integer = is(field, "integer");
  header->field = pattern   ? MatrixField::kPattern
                  : integer ? MatrixField::kInteger
                            : MatrixField::kReal;
  const struct {
    bool known;
    const char* what;
    Token token;
    const char* expected;
  } words[] = {
      {is(object, "matrix"), "Matrix Market object ", object, "matrix"},
      {is(format, "coordinate"), "matrix format ", format, "coordinate"},
      {pattern || integer || is(field, "real"), "matrix field ", field, "pattern, integer or real"},
      {is(symmetry, "symmetric") || is(symmetry, "general"), "matrix symmetry ", symmetry,
       "general or symmetric"}};
  for (const auto& word : words) {
    if (!word.known) {
      return fails(word.what + quote(word.token) + " is not supported, expected " + word.expected,
                   problem);
    }
  }
  return only("the banner", next_token(&line), problem);
}

bool parse_matrix_market_size(const char* first, const char* last, MatrixMarketHeader* header,
                              std::string* problem) {
  Token line = line_of(first, last);
  int64_t columns = 0;
  for (int64_t* count : {&header->rows, &columns, &header->entries}) {
    const Token token = next_token(&line);
    if (parse_count(token, count) == Number::kGood) continue;
    return fails(token.empty() ? "the size line needs rows, columns and entries"
                               : "the size line contains " + quote(token) + ", expected a count",
                 problem);
  }
  if (!only("rows, columns and entries", next_token(&line), problem)) return false;
  return header->rows == columns ||
         fails("the matrix has " + std::to_string(header->rows) + " rows and " +
                   std::to_string(columns) + " columns, but the matrix of a graph is square",
               problem);
}

bool parse_matrix_market_entry(const char* first, const char* last,
                               const MatrixMarketHeader& header, TupleEdge* edge,
                               EdgeAttributes* attributes, std::string* problem) {
  Token line = line_of(first, last);
  if (!parse_both_ids(&line, edge, problem)) return false;
  for (VertexID* id : {&edge->v0, &edge->v1}) {
    if (*id < 1 || *id > header.rows) {
      return fails("row or column " + std::to_string(*id) +
                       " is outside the matrix: expected 1 to " + std::to_string(header.rows),
                   problem);
    }
    --*id;
  }
  *attributes = EdgeAttributes();
  return (header.field == MatrixField::kPattern ||
          parse_value(header.field, next_token(&line), &attributes->weight, problem)) &&
         only("the entry", next_token(&line), problem);
}

bool is_metis_comment(const char* first, const char* last) {
  return first != last && *first == '%';
}

bool parse_metis_header(const char* first, const char* last, MetisHeader* header,
                        std::string* problem) {
  Token line = line_of(first, last);
  for (int64_t* count : {&header->nv, &header->nedge}) {
    const Token token = next_token(&line);
    if (parse_count(token, count) == Number::kGood) continue;
    return fails(token.empty() ? "the header line needs the numbers of vertices and edges"
                               : "the header line contains " + quote(token) + ", expected a count",
                 problem);
  }
  // The digits are, from the right: weights of edges, weights of vertices, sizes of vertices.
  const Token format = next_token(&line), weights = next_token(&line);
  if (format.size() > 3 || format.find_first_not_of("01") != Token::npos) {
    return fails(
        "the header line has the format " + quote(format) + ", expected up to three digits 0 or 1",
        problem);
  }
  const auto digit = [format](size_t from_right) {
    return format.size() > from_right && format[format.size() - 1 - from_right] == '1';
  };
  const bool weighted_vertices = digit(1);
  header->weighted_edges = digit(0);
  header->weights = weighted_vertices ? 1 : 0;
  if (!weights.empty()) {
    const bool good = parse_count(weights, &header->weights) == Number::kGood &&
                      header->weights < int64_t{1} << 32;
    if (!good || (header->weights > 0) != weighted_vertices) {
      return fails("the header line declares " + quote(weights) +
                       " weights of a vertex, which does not match its format " + quote(format),
                   problem);
    }
  }
  header->weights += digit(2) ? 1 : 0;
  if (!only("the numbers of the header line", next_token(&line), problem)) return false;
  return header->nv > 0 || fails("the graph is empty", problem);
}

bool parse_metis_line(const char* first, const char* last, const MetisHeader& header, VertexID v,
                      const NeighbourBody& visit, std::string* problem) {
  Token line = line_of(first, last);
  double value = 0;
  const auto read_weight = [&line, &value, problem](const char* whose) {
    const Token weight = next_token(&line);
    return parse_real(weight, &value) ||
           fails(weight.empty() ? std::string("a weight of ") + whose + " is missing"
                                : quote(weight) + " is not a number (a weight of " + whose + ")",
                 problem);
  };
  for (int64_t k = 0; k < header.weights; ++k) {
    if (!read_weight("the vertex")) return false;
  }
  value = 0;
  for (Token token = next_token(&line); !token.empty(); token = next_token(&line)) {
    VertexID neighbour = 0;
    if (!parse_id(token, &neighbour, problem)) return false;
    if (neighbour < 1 || neighbour > header.nv) {
      return fails("vertex " + std::to_string(v + 1) + " has the neighbour " +
                       std::to_string(neighbour) + ", expected 1 to " + std::to_string(header.nv),
                   problem);
    }
    if (neighbour == v + 1) {
      return fails("vertex " + std::to_string(neighbour) + " is its own neighbour", problem);
    }
    if (header.weighted_edges && !read_weight("an edge")) return false;
    if (!visit(neighbour - 1, value, problem)) return false;
  }
  return true;
}

char* write_edge_line(const TupleEdge& edge, VertexID first_id, char separator, char* to) {
  char* const last = to + kMostLineBytes;
  to = std::to_chars(to, last, edge.v0 + first_id).ptr;
  *to++ = separator;
  to = std::to_chars(to, last, edge.v1 + first_id).ptr;
  *to++ = '\n';
  return to;
}

char* write_weighted_line(const TupleEdge& edge, const EdgeAttributes& attributes, char* to) {
  char* const last = to + kMostLineBytes;
  // Some programs read whole weights only without an exponent.
  const auto write_number = [last](double number, char* at) {
    const bool whole = std::abs(number) < double(int64_t{1} << 53) && number == std::trunc(number);
    return whole ? std::to_chars(at, last, static_cast<int64_t>(number)).ptr
                 : std::to_chars(at, last, number).ptr;
  };
  to = write_edge_line(edge, 0, ' ', to);
  to[-1] = ' ';
  to = write_number(attributes.weight, to);
  if (attributes.time != 0) {
    *to++ = ' ';
    to = write_number(attributes.time, to);
  }
  *to++ = '\n';
  return to;
}

std::string matrix_market_header(int64_t nv, int64_t nedge) {
  const std::string rows = std::to_string(nv);
  return "%%MatrixMarket matrix coordinate pattern general\n" + rows + " " + rows + " " +
         std::to_string(nedge) + "\n";
}

std::string metis_header_line(int64_t nv, int64_t nedge) {
  return std::to_string(nv) + " " + std::to_string(nedge) + "\n";
}

}  // namespace Grappa::detail
