#pragma once

/// Serial readers of graph files, as the model of a fuzz test. They follow the formats in
/// structures/graph/README.md, and share no code with the library.

#include "structures/graph/edge.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fuzz {

typedef std::vector<std::vector<Grappa::VertexID>> Lists;  // of the neighbours of each vertex

/// A graph, if the file is valid.
struct SerialGraph {
  bool good = false;
  bool large = false;  // an id or a count is so large that the memory may not suffice
  int64_t nv = 0;
  std::vector<Grappa::TupleEdge> edges;

  void note_large(int64_t number) { large |= number >= int64_t{1} << 20; }
  void add(Grappa::VertexID v0, Grappa::VertexID v1);
  void add_upper(const Lists& lists);  // the entries that are not below their vertex
  void count_vertices();               // 0 to the largest id
};

/// True if each edge is in the lists of both of its vertices equally often. Loops do not count.
bool is_symmetric(const Lists& lists);

/// The suffix selects the format: `.el`, `.wel`, `.tsv`, `.mtx`, `.graph`, `.bintsv4`, `.graph500`,
/// `.packed48`, `.sg`, `.wsg`, or `.saved`. Edges of a saved graph are in any order.
SerialGraph read_serially(const std::string& suffix, const std::string& bytes);
SerialGraph read_binary_serially(const std::string& suffix, const std::string& bytes);

/// Corrects the checksums inside the bytes of a saved graph.
void correct_checksums(std::string* bytes);

}  // namespace fuzz
