#include "tests/fuzz/serial_graph.hpp"

#include "tests/fuzz/serial_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace fuzz {
namespace {

using Grappa::TupleEdge;
using Grappa::VertexID;

typedef std::vector<std::string> Words;

constexpr size_t kMostLine = size_t{64} << 10;

Words words_of(std::string line) {
  if (!line.empty() && line.back() == '\r') line.pop_back();
  Words words;
  for (size_t at = 0; (at = line.find_first_not_of(" \t", at)) != std::string::npos;) {
    const size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

bool is_comment(const Words& words, const std::string& marks) {
  return words.empty() || marks.find(words[0][0]) != std::string::npos;
}

// A whole number of at most 63 bits, without a sign.
bool parse(const std::string& word, int64_t* value) {
  if (word.empty() || word.find_first_not_of("0123456789") != std::string::npos) return false;
  const size_t first = std::min(word.find_first_not_of('0'), word.size() - 1);
  const std::string digits = word.substr(first), most = std::to_string(INT64_MAX);
  if (digits.size() > most.size() || (digits.size() == most.size() && digits > most)) return false;
  *value = std::strtoll(digits.c_str(), nullptr, 10);
  return true;
}

bool is_integer(const std::string& word) {
  const size_t sign = !word.empty() && (word[0] == '+' || word[0] == '-') ? 1 : 0;
  return word.size() > sign && word.find_first_not_of("0123456789", sign) == std::string::npos;
}

bool is_real(const std::string& word) {
  if (word.empty() || word.find_first_of("xX") != std::string::npos) return false;
  if (std::isspace(static_cast<unsigned char>(word[0])) != 0) return false;
  char* end = nullptr;
  std::strtod(word.c_str(), &end);
  return end == word.c_str() + word.size();
}

SerialGraph edge_list(const std::string& text) {
  SerialGraph graph;
  for (const std::string& line : lines_of(text)) {
    if (line.size() > kMostLine) return graph;
    const Words words = words_of(line);
    if (is_comment(words, "#%")) continue;
    VertexID v0 = 0, v1 = 0;
    if (words.size() < 2 || words.size() > 4 || !parse(words[0], &v0) || !parse(words[1], &v1)) {
      return graph;
    }
    if (!std::all_of(words.begin() + 2, words.end(), &is_real)) return graph;
    graph.add(v0, v1);
  }
  // The number of vertices with the id 2^63 - 1 does not fit in 63 bits.
  for (const TupleEdge& e : graph.edges) {
    if (std::max(e.v0, e.v1) == INT64_MAX) return graph;
  }
  graph.good = !graph.edges.empty();
  graph.count_vertices();
  return graph;
}

bool is_word(std::string word, const std::string& expected) {
  for (char& c : word) c = char(std::tolower(static_cast<unsigned char>(c)));
  return word == expected;
}

SerialGraph matrix_market(const std::string& text) {
  SerialGraph graph;
  bool sized = false;
  int64_t entries = 0, number = 0;
  bool pattern = false, integer = false;
  for (const std::string& line : lines_of(text)) {
    if (line.size() > kMostLine) return graph;
    const Words words = words_of(line);
    if (number++ == 0) {
      if (words.size() != 5) return graph;
      pattern = is_word(words[3], "pattern");
      integer = is_word(words[3], "integer");
      if (!is_word(words[0], "%%matrixmarket") || !is_word(words[1], "matrix") ||
          !is_word(words[2], "coordinate") || !(pattern || integer || is_word(words[3], "real")) ||
          !(is_word(words[4], "general") || is_word(words[4], "symmetric"))) {
        return graph;
      }
      continue;
    }
    if (is_comment(words, "%")) continue;
    if (!sized) {
      int64_t columns = 0;
      sized = words.size() == 3 && parse(words[0], &graph.nv) && parse(words[1], &columns) &&
              parse(words[2], &entries) && graph.nv == columns;
      if (!sized) return graph;
      graph.note_large(graph.nv);
      graph.note_large(entries);
      continue;
    }
    VertexID v0 = 0, v1 = 0;
    if (words.size() != (pattern ? 2 : 3) || !parse(words[0], &v0) || !parse(words[1], &v1)) {
      return graph;
    }
    if (!pattern && !(integer ? is_integer(words[2]) : is_real(words[2]))) return graph;
    if (v0 < 1 || v0 > graph.nv || v1 < 1 || v1 > graph.nv) return graph;
    graph.add(v0 - 1, v1 - 1);
  }
  graph.good = sized && graph.nv > 0 && int64_t(graph.edges.size()) == entries;
  return graph;
}

struct MetisHeader {
  int64_t edges = 0, weights = 0;
  bool weighted_edges = false;
};

bool parse_metis_header(const Words& words, int64_t* nv, MetisHeader* header) {
  if (words.size() < 2 || words.size() > 4 || !parse(words[0], nv) || *nv == 0) return false;
  if (!parse(words[1], &header->edges)) return false;
  std::string format = words.size() > 2 ? words[2] : "";
  if (format.size() > 3 || format.find_first_not_of("01") != std::string::npos) return false;
  format.insert(0, 3 - format.size(), '0');
  header->weights = format[1] == '1' ? 1 : 0;
  if (words.size() == 4) {
    int64_t weights = 0;
    if (!parse(words[3], &weights) || weights >= int64_t{1} << 32) return false;
    if ((weights > 0) != (format[1] == '1')) return false;
    header->weights = weights;
  }
  header->weights += format[0] == '1' ? 1 : 0;
  header->weighted_edges = format[2] == '1';
  return true;
}

bool parse_metis_list(const Words& words, const MetisHeader& header, int64_t nv, VertexID v,
                      std::vector<VertexID>* list) {
  if (int64_t(words.size()) < header.weights) return false;
  size_t at = size_t(header.weights);
  if (!std::all_of(words.begin(), words.begin() + int64_t(at), &is_real)) return false;
  while (at < words.size()) {
    VertexID neighbour = 0;
    if (!parse(words[at++], &neighbour) || neighbour < 1 || neighbour > nv) return false;
    if (neighbour == v + 1) return false;
    if (header.weighted_edges && (at == words.size() || !is_real(words[at++]))) return false;
    list->push_back(neighbour - 1);
  }
  return true;
}

SerialGraph metis(const std::string& text) {
  SerialGraph graph;
  Lists lists;
  MetisHeader header;
  bool begun = false;
  for (const std::string& line : lines_of(text)) {
    const Words words = words_of(line);
    if (!begun) {
      if (line.size() > kMostLine) return graph;
      if (is_comment(words, "%")) continue;
      if (!parse_metis_header(words, &graph.nv, &header)) return graph;
      begun = true;
      graph.note_large(graph.nv);
      graph.note_large(header.edges);
      continue;
    }
    if (!line.empty() && line[0] == '%') continue;
    if (int64_t(lists.size()) == graph.nv) {
      if (is_comment(words, "%")) continue;
      return graph;
    }
    lists.emplace_back();
    if (!parse_metis_list(words, header, graph.nv, VertexID(lists.size()) - 1, &lists.back())) {
      return graph;
    }
  }
  if (!begun || int64_t(lists.size()) != graph.nv || !is_symmetric(lists)) return graph;
  graph.add_upper(lists);
  graph.good = int64_t(graph.edges.size()) == header.edges;
  return graph;
}

}  // namespace

SerialGraph read_serially(const std::string& suffix, const std::string& bytes) {
  if (suffix == ".el" || suffix == ".wel" || suffix == ".tsv") return edge_list(bytes);
  if (suffix == ".mtx") return matrix_market(bytes);
  if (suffix == ".graph") return metis(bytes);
  return read_binary_serially(suffix, bytes);
}

}  // namespace fuzz
