#include "structures/graph/file/edge_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>
#include <system_error>

namespace Grappa::detail {
namespace {

typedef std::string_view Token;

std::string quote(Token token) { return quoted(token.data(), token.data() + token.size()); }

bool is(Token token, Token lower_case_word) {
  return std::equal(token.begin(), token.end(), lower_case_word.begin(), lower_case_word.end(),
                    [](char found, char wanted) {
                      return std::tolower(static_cast<unsigned char>(found)) == wanted;
                    });
}

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
    return Token(first, size_t(at_ - first));
  }

 private:
  const char* at_;
  const char* last_;
};

enum class Number { kGood, kNegative, kTooLarge, kNotOne };

// Parses an integer without a plus sign: ids and counts have none.
Number parse_count(Token token, int64_t* value) {
  const char* const last = token.data() + token.size();
  const auto result = std::from_chars(token.data(), last, *value);
  if (token.empty() || result.ptr != last) return Number::kNotOne;
  if (token.front() == '-') return Number::kNegative;
  if (result.ec == std::errc::result_out_of_range) return Number::kTooLarge;
  return result.ec == std::errc() ? Number::kGood : Number::kNotOne;
}

template <typename T>
bool is_number(Token token) {
  if (!token.empty() && token.front() == '+') {
    token.remove_prefix(1);
    if (!token.empty() && token.front() == '-') return false;
  }
  T value;
  const char* const last = token.data() + token.size();
  const auto result = std::from_chars(token.data(), last, value);
  return result.ptr == last && result.ec != std::errc::invalid_argument;
}

bool parse_id(Token token, int64_t* id, std::string* problem) {
  switch (parse_count(token, id)) {
    case Number::kGood: return true;
    case Number::kNegative: *problem = "vertex id " + quote(token) + " is negative"; break;
    case Number::kTooLarge:
      *problem = "vertex id " + quote(token) + " does not fit in 64 bits";
      break;
    case Number::kNotOne:
      *problem = token.empty() ? "only one vertex id; an edge needs two"
                               : quote(token) + " is not a vertex id (a whole number)";
  }
  return false;
}

bool parse_both_ids(Tokens* tokens, TupleEdge* edge, std::string* problem) {
  return parse_id(tokens->next(), &edge->v0, problem) &&
         parse_id(tokens->next(), &edge->v1, problem);
}

bool only(const char* what, Token rest, std::string* problem) {
  if (rest.empty()) return true;
  *problem = "unexpected " + quote(rest) + " after " + what;
  return false;
}

bool parse_extra_columns(Tokens* tokens, std::string* problem) {
  for (int column = 3; column <= 4; ++column) {
    const Token extra = tokens->next();
    if (extra.empty()) return true;
    if (is_number<double>(extra)) continue;
    *problem = quote(extra) + " is not a number (a weight or a time stamp)";
    return false;
  }
  return only("two vertex ids, a weight and a time stamp", tokens->next(), problem);
}

bool parse_value(MatrixField field, Token token, std::string* problem) {
  const bool integer = field == MatrixField::kInteger;
  if (integer ? is_number<int64_t>(token) : is_number<double>(token)) return true;
  const char* kind = integer ? "an integer" : "a real";
  *problem = token.empty() ? std::string("no value; the banner declares ") + kind + " number"
                           : quote(token) + " is not " + kind + " number";
  return false;
}

// Appends the character, or its code if it cannot be printed.
void append(char c, bool can_be_printed, std::string* text) {
  static const char kDigits[] = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  if (can_be_printed) {
    *text += c;
  } else {
    *text += {'\\', 'x', kDigits[code / 16], kDigits[code % 16]};
  }
}

}  // namespace

bool is_blank_or_comment(const char* first, const char* last, const char* marks) {
  const Token token = Tokens(first, last).next();
  return token.empty() || std::string_view(marks).find(token.front()) != Token::npos;
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
  if (!is(banner, "%%matrixmarket")) {
    *problem = "a Matrix Market file starts with %%MatrixMarket, not with " + quote(banner);
  } else if (!is(object, "matrix")) {
    *problem = "Matrix Market object " + quote(object) + " is not supported, expected matrix";
  } else if (!is(format, "coordinate")) {
    *problem = "matrix format " + quote(format) + " is not supported, expected coordinate";
  } else if (!is(field, "pattern") && !is(field, "integer") && !is(field, "real")) {
    *problem =
        "matrix field " + quote(field) + " is not supported, expected pattern, integer or real";
  } else if (!is(symmetry, "general") && !is(symmetry, "symmetric")) {
    *problem =
        "matrix symmetry " + quote(symmetry) + " is not supported, expected general or symmetric";
  } else if (only("the banner", tokens.next(), problem)) {
    header->field = is(field, "pattern")   ? MatrixField::kPattern
                    : is(field, "integer") ? MatrixField::kInteger
                                           : MatrixField::kReal;
    header->symmetric = is(symmetry, "symmetric");
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
                             : "the size line contains " + quote(token) + ", expected a count";
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
    if (*at == '"' || *at == '\\') text += '\\';
    append(*at, 0x20 <= *at && *at <= 0x7e, &text);
  }
  return text + (shown == last ? "\"" : "...\"");
}

std::string printable(const std::string& text) {
  std::string shown;
  for (const char c : text) append(c, static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, &shown);
  return shown;
}

}  // namespace Grappa::detail
