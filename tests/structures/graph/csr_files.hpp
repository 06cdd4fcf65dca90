#pragma once

/// Builds the bytes of saved graphs for tests, according to the format.

#include "structures/graph/file/csr_format.hpp"
#include "structures/graph/graph.hpp"
#include "structures/graph/make/generators.hpp"
#include "tests/structures/graph/graph_files.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace Grappa {

struct Nothing {};
struct Wide {
  char bytes[56];
};
typedef Graph<Nothing> Small;
typedef Graph<Wide> Large;
typedef std::vector<std::vector<VertexID>> Lists;

inline Edges kronecker_edges(int scale, int64_t count) {
  const detail::KroneckerGenerator generator(scale, 1, 2);
  Edges edges;
  for (int64_t i = 0; i < count; ++i) edges.push_back(generator.edge(i));
  return edges;
}

template <class G>
GlobalAddress<G> graph_of(int64_t nv, const Edges& edges, bool directed,
                          detail::SlotWidth width = detail::SlotWidth::kAutomatic,
                          GraphLayout layout = GraphLayout::Automatic) {
  TupleGraph tuples = TupleGraph::from_edges(nv, edges);
  const GlobalAddress<G> g = G::create(tuples, directed, layout, width);
  tuples.destroy();
  return g;
}

inline std::string saved(int64_t nv, const Edges& edges, bool directed) {
  const Folder folder;
  const auto g = graph_of<Small>(nv, edges, directed);
  g->save(folder.file("graph"));
  g->destroy();
  return bytes_of(folder.file("graph"));
}

/// Computes the lists of a graph on one core.
inline std::vector<std::vector<VertexID>> model_of(int64_t nv, const Edges& edges, bool directed) {
  std::vector<std::set<VertexID>> sets(static_cast<size_t>(nv));
  for (const TupleEdge& e : edges) {
    if (e.v0 == e.v1) continue;
    sets[size_t(e.v0)].insert(e.v1);
    if (!directed) sets[size_t(e.v1)].insert(e.v0);
  }
  std::vector<std::vector<VertexID>> lists;
  for (const auto& set : sets) lists.emplace_back(set.begin(), set.end());
  return lists;
}

/// The bytes that represent a number in the file.
inline std::string number(uint64_t n, int bytes) {
  std::string text;
  for (int k = 0; k < bytes; ++k) text.push_back(char(n >> 8 * k));
  return text;
}
inline std::string sum(const std::string& text) {
  return number(detail::checksum_of(text.data(), text.size()), 8);
}
inline std::string header(uint32_t version, uint32_t directed, uint64_t nv, uint64_t entries,
                          uint64_t blocks, uint32_t id_bytes = 4, uint32_t block_vertices = 65536) {
  const std::string text = "\x89Grappa\n" + number(version, 4) + number(id_bytes, 4) +
                           number(directed, 4) + number(block_vertices, 4) + number(nv, 8) +
                           number(entries, 8) + number(blocks, 8);
  return text + sum(text);
}

/// Returns the whole file for the given lists.
inline std::string file_of(bool directed, const Lists& lists) {
  const size_t nv = lists.size(), each = 65536, blocks = (nv + each - 1) / each;
  uint64_t entries = 0;
  std::string table, all;
  for (size_t block = 0; block < blocks; ++block) {
    std::string lengths, ids;
    for (size_t v = block * each; v < std::min(nv, (block + 1) * each); ++v) {
      entries += lists[v].size();
      lengths += number(lists[v].size(), 4);
      for (const VertexID id : lists[v]) ids += number(uint64_t(id), 4);
    }
    table += number(56 + 16 * blocks + all.size(), 8) + sum(lengths + ids);
    all += lengths + ids;
  }
  return header(1, directed, nv, entries, blocks) + table + all;
}

/// A file of one block with these lengths of lists and these neighbours. The sum of the lengths may
/// differ from the number of neighbours.
inline std::string small_file(uint32_t directed, const std::vector<uint32_t>& lengths,
                              const std::vector<uint32_t>& ids) {
  std::string block;
  for (const uint32_t n : lengths) block += number(n, 4);
  for (const uint32_t id : ids) block += number(id, 4);
  return header(1, directed, lengths.size(), ids.size(), 1) + number(56 + 16, 8) + sum(block) +
         block;
}

/// Returns the message of try_load for these bytes, without the path. Returns "none" if the file
/// loads.
template <class G>
inline std::string load_problem(const std::string& path) {
  GlobalAddress<G> g;
  std::string error;
  if (G::try_load(path, &g, &error)) {
    g->destroy();
    return "none";
  }
  EXPECT_EQ(error.compare(0, path.size() + 2, path + ": "), 0) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  return error.substr(std::min(error.size(), path.size() + 2));
}
inline std::string problem_with(const std::string& bytes) {
  const GraphFile file(".graph", bytes);
  return load_problem<Small>(file.path());
}

}  // namespace Grappa
