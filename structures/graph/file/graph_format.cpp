#include "structures/graph/file/graph_format.hpp"

#include "system/base/check.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>
#include <strings.h>
#include <system_error>

namespace Grappa::detail {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "records are copied in memory order, and the files are little-endian");

// A record of graph500 is a TupleEdge.
struct Bintsv4 {
  uint32_t v0, v1;
};
struct Packed48 {
  uint32_t v0_low, v1_low;
  int16_t v0_high, v1_high;
};

TupleEdge edge_of(const TupleEdge& record) { return record; }
TupleEdge edge_of(const Bintsv4& record) { return {record.v0, record.v1}; }
TupleEdge edge_of(const Packed48& record) {
  constexpr int64_t kHigh = int64_t{1} << 32;
  return {record.v0_high * kHigh + record.v0_low, record.v1_high * kHigh + record.v1_low};
}

void set_record(TupleEdge* record, const TupleEdge& edge) { *record = edge; }
void set_record(Bintsv4* record, const TupleEdge& edge) {
  *record = {uint32_t(edge.v0), uint32_t(edge.v1)};
}
void set_record(Packed48* record, const TupleEdge& edge) {
  *record = {uint32_t(edge.v0), uint32_t(edge.v1), int16_t(edge.v0 >> 32), int16_t(edge.v1 >> 32)};
}

template <class Visit>
void with_record(GraphFormat format, Visit visit) {
  switch (format) {
    case GraphFormat::kBintsv4: return visit(Bintsv4{});
    case GraphFormat::kGraph500: return visit(TupleEdge{});
    case GraphFormat::kPacked48: return visit(Packed48{});
    default: GRAPPA_CHECK(false) << "format " << format_name(format) << " has no records";
  }
}

enum class Kind { kLines, kRecords, kLists };

struct KnownFormat {
  GraphFormat format;
  const char* name;
  const char* suffixes[2];
  Kind kind;
  int64_t record_bytes;
  VertexID largest_id;
};

constexpr KnownFormat kFormats[] = {
    {GraphFormat::kEdgeList, "el", {".el", ".txt"}, Kind::kLines, 0, INT64_MAX},
    {GraphFormat::kWeightedEdgeList, "wel", {".wel"}, Kind::kLines, 0, INT64_MAX},
    {GraphFormat::kTabSeparated, "tsv", {".tsv"}, Kind::kLines, 0, INT64_MAX},
    {GraphFormat::kMatrixMarket, "mm", {".mtx", ".mm"}, Kind::kLines, 0, INT64_MAX - 1},  // from 1
    {GraphFormat::kMetis, "metis", {".graph", ".metis"}, Kind::kLines, 0, INT64_MAX - 1},
    {GraphFormat::kBintsv4, "bintsv4", {".bintsv4"}, Kind::kRecords, sizeof(Bintsv4), UINT32_MAX},
    {GraphFormat::kGraph500,
     "graph500",
     {".graph500"},
     Kind::kRecords,
     sizeof(TupleEdge),
     INT64_MAX},
    {GraphFormat::kPacked48,
     "packed48",
     {".packed48"},
     Kind::kRecords,
     sizeof(Packed48),
     INT64_MAX >> 16},
    {GraphFormat::kGap, "sg", {".sg"}, Kind::kLists, 0, INT32_MAX},
    {GraphFormat::kWeightedGap, "wsg", {".wsg"}, Kind::kLists, 0, INT32_MAX},
};
constexpr KnownFormat kNoFormat = {GraphFormat::kUnknown, "unknown", {},
                                   Kind::kRecords,        0,         INT64_MAX};

constexpr bool in_order_of_enumerators() {
  int next = 1;
  for (const KnownFormat& each : kFormats) {
    if (int(each.format) != next++) return false;
  }
  return true;
}
static_assert(in_order_of_enumerators(), "known() uses the enumerator as an index");

const KnownFormat& known(GraphFormat format) {
  return format == GraphFormat::kUnknown ? kNoFormat : kFormats[int(format) - 1];
}

bool has_suffix(const std::string& path, const std::string& suffix) {
  const size_t length = suffix.size();
  return path.size() > length && path.compare(path.size() - length, length, suffix) == 0;
}

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

template <typename T>
bool is_number(Token token) {
  if (token.substr(0, 2) == "+-") return false;
  if (token.substr(0, 1) == "+") token.remove_prefix(1);
  T value;
  const char* const last = token.data() + token.size();
  const auto result = std::from_chars(token.data(), last, value);
  return result.ptr == last && result.ec != std::errc::invalid_argument;
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

bool parse_extra_columns(Token* line, std::string* problem) {
  for (int column = 3; column <= 4; ++column) {
    const Token extra = next_token(line);
    if (extra.empty()) return true;
    if (!is_number<double>(extra)) {
      return fails(quote(extra) + " is not a number (a weight or a time stamp)", problem);
    }
  }
  return only("two vertex ids, a weight and a time stamp", next_token(line), problem);
}

bool parse_value(MatrixField field, Token token, std::string* problem) {
  const bool integer = field == MatrixField::kInteger;
  if (integer ? is_number<int64_t>(token) : is_number<double>(token)) return true;
  const std::string kind = integer ? "an integer number" : "a real number";
  return fails(
      token.empty() ? "no value; the banner declares " + kind : quote(token) + " is not " + kind,
      problem);
}

// Appends the character, or its code if it cannot be printed.
void append(char c, bool can_be_printed, std::string* text) {
  static const char kDigits[] = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  if (can_be_printed) return text->push_back(c);
  *text += {'\\', 'x', kDigits[code / 16], kDigits[code % 16]};
}

}  // namespace

GraphFormat graph_format(const std::string& path, const std::string& name) {
  const std::string stem = is_gzip(path) ? path.substr(0, path.size() - 3) : path;
  for (const KnownFormat& each : kFormats) {
    if (name == each.name) return each.format;
    for (const char* suffix : each.suffixes) {
      if (name.empty() && suffix && has_suffix(stem, suffix)) return each.format;
    }
  }
  return GraphFormat::kUnknown;
}

const char* format_name(GraphFormat format) { return known(format).name; }

bool is_text(GraphFormat format) { return known(format).kind == Kind::kLines; }

bool holds_pairs(GraphFormat format) {
  return known(format).kind != Kind::kLists && format != GraphFormat::kMetis &&
         format != GraphFormat::kWeightedEdgeList && format != GraphFormat::kUnknown;
}

bool is_gzip(const std::string& path) { return has_suffix(path, ".gz"); }

int64_t record_bytes(GraphFormat format) { return known(format).record_bytes; }

VertexID largest_id(GraphFormat format) { return known(format).largest_id; }

std::string too_many_vertices(int64_t nv, GraphFormat format) {
  return "the graph has " + std::to_string(nv) + " vertices, but the largest id in format " +
         format_name(format) + " is " + std::to_string(largest_id(format));
}

std::string why_unwritable(const std::string& path, GraphFormat format) {
  if (is_gzip(path)) return "a compressed file cannot be written; write it without .gz";
  if (format == GraphFormat::kWeightedEdgeList) {
    return "a .wel file needs weights, but a list of edges has none; write an edge list (el)";
  }
  if (format == GraphFormat::kWeightedGap) {
    return "a .wsg file needs weights, but a list of edges has none; write a .sg file";
  }
  return "";
}

std::string unknown_format(const std::string& path, const std::string& name) {
  std::string names, suffixes;
  for (const KnownFormat& each : kFormats) {
    names += std::string(" ") + each.name;
    for (const char* suffix : each.suffixes) {
      if (suffix) suffixes += std::string(" ") + suffix;
    }
  }
  if (name.empty())
    return printable(path) + ": unknown suffix; the known suffixes are" + suffixes +
           ", and .gz after a suffix of a text file";
  return "format " + quote(name) + " is unknown; the known formats are" + names;
}

void decode_records(GraphFormat format, const char* from, int64_t count, TupleEdge* to) {
  with_record(format, [&](auto record) {
    for (int64_t k = 0; k < count; ++k, from += sizeof record) {
      std::memcpy(&record, from, sizeof record);
      to[k] = edge_of(record);
    }
  });
}

void encode_records(GraphFormat format, const TupleEdge* from, int64_t count, char* to) {
  with_record(format, [&](auto record) {
    for (int64_t k = 0; k < count; ++k, to += sizeof record) {
      set_record(&record, from[k]);
      std::memcpy(to, &record, sizeof record);
    }
  });
}

bool is_blank_or_comment(const char* first, const char* last, const char* marks) {
  Token line = line_of(first, last);
  const Token token = next_token(&line);
  return token.empty() || std::string_view(marks).find(token.front()) != Token::npos;
}

bool parse_edge_list_line(const char* first, const char* last, TupleEdge* edge,
                          std::string* problem) {
  Token line = line_of(first, last);
  return parse_both_ids(&line, edge, problem) && parse_extra_columns(&line, problem);
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
                               std::string* problem) {
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
  return (header.field == MatrixField::kPattern ||
          parse_value(header.field, next_token(&line), problem)) &&
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
  const auto skip_weight = [&line, problem](const char* whose) {
    const Token weight = next_token(&line);
    return is_number<double>(weight) ||
           fails(weight.empty() ? std::string("a weight of ") + whose + " is missing"
                                : quote(weight) + " is not a number (a weight of " + whose + ")",
                 problem);
  };
  for (int64_t k = 0; k < header.weights; ++k) {
    if (!skip_weight("the vertex")) return false;
  }
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
    if (header.weighted_edges && !skip_weight("an edge")) return false;
    if (!visit(neighbour - 1, problem)) return false;
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

std::string matrix_market_header(int64_t nv, int64_t nedge) {
  const std::string rows = std::to_string(nv);
  return "%%MatrixMarket matrix coordinate pattern general\n" + rows + " " + rows + " " +
         std::to_string(nedge) + "\n";
}

std::string metis_header_line(int64_t nv, int64_t nedge) {
  return std::to_string(nv) + " " + std::to_string(nedge) + "\n";
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
