#pragma once

/// What the benchmark says of its run: a line a search, the statistics under the names that the
/// Graph500 reference codes print, and the same as JSON.

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace bfs {

struct SearchResult {
  int64_t root;
  double seconds;
  double verify_seconds;
  int64_t reached;          // vertices
  int64_t traversed_edges;  // input edges within the component

  double teps() const { return seconds > 0 ? double(traversed_edges) / seconds : 0; }
};

struct RunResult {
  std::string graph;  // what it is, in words
  bool kronecker;     // it is one, of
  int64_t scale;
  int64_t edgefactor;
  uint64_t seed;
  int64_t vertices;
  int64_t edges;          // input edges
  std::string algorithm;  // in words
  std::string verify;     // the level: "none", "sampled" or "full"
  int64_t cores;
  double generation_seconds;       // or reading
  double construction_seconds;     // of the lists of neighbours
  double graph_bytes;              // that they and the vertices take
  double construction_peak_bytes;  // by which all cores grew until then, the edges included
  std::vector<SearchResult> searches;
};

void print_graph(const RunResult& run, std::ostream& out);
void print_search(int64_t index, const SearchResult& search, std::ostream& out);

/// `run` has at least one search.
void print_statistics(const RunResult& run, std::ostream& out);

/// The whole run as a JSON object, ended by a newline.
std::string to_json(const RunResult& run);

}  // namespace bfs
