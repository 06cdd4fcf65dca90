#include "structures/graph/file/edge_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <system_error>

namespace Grappa {
namespace detail {
namespace {

struct Token {
  const char* first;
  const char* last;

  bool empty() const { return first == last; }
  std::string quote() const { return quoted(first, last); }
  bool is(const char* lower_case_word) const {
    const size_t length = std::strlen(lower_case_word);
    return size_t(last - first) == length &&
           std::equal(first, last, lower_case_word, [](char found, char wanted) {
             return std::tolower(static_cast<unsigned char>(found)) == wanted;
           });
  }
};

bool is_separator(char c) { return c == ' ' || c == '\t'; }

// The tokens of a line that have not been consumed.
class Tokens {
 public:
  Tokens(const char* first, const char* last) : at_(first), last_(last) {
    if (at_ != last_ && last_[-1] == '\r') --last_;
  }

  // Returns an empty token at the end of the line.
  Token next() {
    while (at_ != last_ && is_separator(*at_)) ++at_;
    const char* first = at_;
    while (at_ != last_ && !is_separator(*at_)) ++at_;
    return Token{first, at_};
  }

 private:
  const char* at_;
  const char* last_;
};

enum class Number { kGood, kNegative, kTooLarge, kNotOne };

// Parses an integer without a plus sign: ids and counts have none.
Number parse_count(Token token, int64_t* value) {
  const auto result = std::from_chars(token.first, token.last, *value);
  if (token.empty() || result.ptr != token.last) return Number::kNotOne;
  if (*token.first == '-') return Number::kNegative;
  if (result.ec == std::errc::result_out_of_range) return Number::kTooLarge;
  return result.ec == std::errc() ? Number::kGood : Number::kNotOne;
}

template <typename T>
bool is_number(Token token) {
  if (!token.empty() && *token.first == '+') {
    ++token.first;
    if (!token.empty() && *token.first == '-') return false;
  }
  T value;
  const auto result = std::from_chars(token.first, token.last, value);
  return result.ptr == token.last && result.ec != std::errc::invalid_argument;
}

bool parse_id(Token token, int64_t* id, std::string* problem) {
  switch (parse_count(token, id)) {
    case Number::kGood: return true;
    case Number::kNegative: *problem = "vertex id " + token.quote() + " is negative"; return false;
    case Number::kTooLarge:
      *problem = "vertex id " + token.quote() + " does not fit in 64 bits";
      return false;
    case Number::kNotOne: break;
  }
  *problem = token.empty() ? "only one vertex id; an edge needs two"
                           : token.quote() + " is not a vertex id (a whole number)";
  return false;
}

bool parse_both_ids(Tokens* tokens, TupleEdge* edge, std::string* problem) {
  return parse_id(tokens->next(), &edge->v0, problem) &&
         parse_id(tokens->next(), &edge->v1, problem);
}

bool only(const char* what, Token rest, std::string* problem) {
  if (rest.empty()) return true;
  *problem = "unexpected " + rest.quote() + " after " + what;
  return false;
}

bool parse_extra_columns(Tokens* tokens, std::string* problem) {
  for (int column = 3; column <= 4; ++column) {
    const Token extra = tokens->next();
    if (extra.empty()) return true;
    if (is_number<double>(extra)) continue;
    *problem = extra.quote() + " is not a number (a weight or a time stamp)";
    return false;
  }
  return only("two vertex ids, a weight and a time stamp", tokens->next(), problem);
}

bool parse_value(MatrixField field, Token token, std::string* problem) {
  const bool good =
      field == MatrixField::kInteger ? is_number<int64_t>(token) : is_number<double>(token);
  if (good) return true;
  const char* kind = field == MatrixField::kInteger ? "an integer" : "a real";
  *problem = token.empty() ? std::string("no value; the banner declares ") + kind + " number"
                           : token.quote() + " is not " + kind + " number";
  return false;
}

void append_escaped(unsigned char c, std::string* text) {
  static const char kDigits[] = "0123456789abcdef";
  *text += "\\x";
  *text += kDigits[c / 16];
  *text += kDigits[c % 16];
}

}  // namespace

bool is_blank_or_comment(const char* first, const char* last, const char* marks) {
  const Token token = Tokens(first, last).next();
  return token.empty() || (*token.first != '\0' && std::strchr(marks, *token.first));
}

LineKind parse_edge_list_line(const char* first, const char* last, TupleEdge* edge,
                              std::string* problem) {
  if (is_blank_or_comment(first, last, "#%")) return LineKind::kSkipped;
  Tokens tokens(first, last);
  if (!parse_both_ids(&tokens, edge, problem)) return LineKind::kBad;
  return parse_extra_columns(&tokens, problem) ? LineKind::kEdge : LineKind::kBad;
}

bool parse_matrix_market_banner(const char* first, const char* last, MatrixMarketHeader* header,
                                std::string* problem) {
  Tokens tokens(first, last);
  const Token banner = tokens.next(), object = tokens.next(), format = tokens.next(),
              field = tokens.next(), symmetry = tokens.next();
  if (!banner.is("%%matrixmarket")) {
    *problem = "a Matrix Market file starts with %%MatrixMarket, not with " + banner.quote();
  } else if (!object.is("matrix")) {
    *problem = "Matrix Market object " + object.quote() + " is not supported, expected matrix";
  } else if (!format.is("coordinate")) {
    *problem = "matrix format " + format.quote() + " is not supported, expected coordinate";
  } else if (!field.is("pattern") && !field.is("integer") && !field.is("real")) {
    *problem =
        "matrix field " + field.quote() + " is not supported, expected pattern, integer or real";
  } else if (!symmetry.is("general") && !symmetry.is("symmetric")) {
    *problem =
        "matrix symmetry " + symmetry.quote() + " is not supported, expected general or symmetric";
  } else if (only("the banner", tokens.next(), problem)) {
    header->field = field.is("pattern")   ? MatrixField::kPattern
                    : field.is("integer") ? MatrixField::kInteger
                                          : MatrixField::kReal;
    header->symmetric = symmetry.is("symmetric");
    return true;
  }
  return false;
}

bool parse_matrix_market_size(const char* first, const char* last, MatrixMarketHeader* header,
                              std::string* problem) {
  Tokens tokens(first, last);
  int64_t columns = 0;
  for (int64_t* count : {&header->rows, &columns, &header->entries}) {
    const Token token = tokens.next();
    if (parse_count(token, count) == Number::kGood) continue;
    *problem = token.empty() ? "the size line needs rows, columns and entries"
                             : "the size line contains " + token.quote() + ", expected a count";
    return false;
  }
  if (!only("rows, columns and entries", tokens.next(), problem)) return false;
  if (header->rows == columns) return true;
  *problem = "the matrix has " + std::to_string(header->rows) + " rows and " +
             std::to_string(columns) + " columns, but the matrix of a graph is square";
  return false;
}

LineKind parse_matrix_market_entry(const char* first, const char* last,
                                   const MatrixMarketHeader& header, TupleEdge* edge,
                                   std::string* problem) {
  if (is_blank_or_comment(first, last, "%")) return LineKind::kSkipped;
  Tokens tokens(first, last);
  if (!parse_both_ids(&tokens, edge, problem)) return LineKind::kBad;
  for (VertexID* id : {&edge->v0, &edge->v1}) {
    if (*id < 1 || *id > header.rows) {
      *problem = "row or column " + std::to_string(*id) + " is outside the matrix: expected 1 to " +
                 std::to_string(header.rows);
      return LineKind::kBad;
    }
    --*id;
  }
  if (header.field != MatrixField::kPattern && !parse_value(header.field, tokens.next(), problem)) {
    return LineKind::kBad;
  }
  return only("the entry", tokens.next(), problem) ? LineKind::kEdge : LineKind::kBad;
}

char* write_edge_line(const TupleEdge& edge, VertexID first_id, char separator, char* to) {
  char* const last = to + kMostLineBytes;
  to = std::to_chars(to, last, edge.v0 + first_id).ptr;
  *to++ = separator;
  to = std::to_chars(to, last, edge.v1 + first_id).ptr;
  *to++ = '\n';
  return to;
}

std::string matrix_market_header(int64_t nv, int64_t nedge) {
  const std::string rows = std::to_string(nv);
  return "%%MatrixMarket matrix coordinate pattern general\n" + rows + " " + rows + " " +
         std::to_string(nedge) + "\n";
}

std::string quoted(const char* first, const char* last) {
  constexpr int64_t kShown = 40;
  const char* shown = last - first > kShown ? first + kShown : last;
  std::string text = "\"";
  for (const char* at = first; at != shown; ++at) {
    const auto c = static_cast<unsigned char>(*at);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += *at;
    } else if (c < 0x20 || c > 0x7e) {
      append_escaped(c, &text);
    } else {
      text += *at;
    }
  }
  return text + (shown == last ? "\"" : "...\"");
}

std::string printable(const std::string& text) {
  std::string shown;
  for (const char each : text) {
    const auto c = static_cast<unsigned char>(each);
    if (c < 0x20 || c == 0x7f) {
      append_escaped(c, &shown);
    } else {
      shown += each;
    }
  }
  return shown;
}

}  // namespace detail
}  // namespace Grappa
