/// TupleGraph::try_load and Graph::try_load of hostile files. They load the graph that a serial
/// reader finds, or reject the file with one line that names it.

#include "structures/graph/csr_edges.hpp"
#include "structures/graph/graph.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/job_fuzz.hpp"
#include "tests/fuzz/mutate.hpp"
#include "tests/fuzz/serial_graph.hpp"
#include "tests/fuzz/serial_text.hpp"
#include "tests/structures/text/text_files.hpp"

#include <Grappa.hpp>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

using namespace Grappa;

namespace {

typedef std::vector<TupleEdge> Edges;

constexpr size_t kMostText = size_t{64} << 20, kMostBytes = size_t{16} << 20;
const char* const kFormats[] = {".el",       ".wel",      ".tsv", ".mtx", ".graph", ".bintsv4",
                                ".graph500", ".packed48", ".sg",  ".wsg", ".saved"};
constexpr int64_t kTextFormats = 5, kFormatCount = 11;

struct Plan {
  int64_t nv;
  Edges edges;
  bool directed;
};

Plan some_graph(SplitMix64* random, bool saved) {
  const int64_t kind = random->below(20);
  Plan plan = {1 + random->below(kind < 15 ? 20 : 3000), Edges(), random->below(2) == 0};
  if (saved && kind == 19) plan.nv = 65535 + random->below(70000);  // several blocks
  if (kind == 18) {  // a star: a list with a long line
    plan.nv = 1 + random->below(40000);
    for (VertexID v = 1; v < plan.nv; ++v) plan.edges.push_back(TupleEdge{0, v});
    return plan;
  }
  for (int64_t left = random->below(kind < 15 ? 40 : 60000); left > 0; --left) {
    plan.edges.push_back(TupleEdge{random->below(plan.nv), random->below(plan.nv)});
  }
  return plan;
}

// The lists of a graph without loops and repeated edges.
fuzz::Lists lists_of(const Plan& plan, bool directed) {
  std::vector<std::set<VertexID>> sets(static_cast<size_t>(plan.nv));
  for (const TupleEdge& e : plan.edges) {
    if (e.v0 == e.v1) continue;
    sets[size_t(e.v0)].insert(e.v1);
    if (!directed) sets[size_t(e.v1)].insert(e.v0);
  }
  fuzz::Lists lists;
  for (const std::set<VertexID>& set : sets) lists.emplace_back(set.begin(), set.end());
  return lists;
}

int64_t entries_of(const fuzz::Lists& lists) {
  int64_t entries = 0;
  for (const auto& list : lists) entries += int64_t(list.size());
  return entries;
}

template <class T>
void put(T number, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string text_file(const std::string& format, const Plan& plan, SplitMix64* random) {
  const std::string end = random->below(4) == 0 ? "\r\n" : "\n";
  const bool weighted = format == ".wel" || random->below(3) == 0;
  std::string text;
  if (format == ".graph") {
    const fuzz::Lists lists = lists_of(plan, false);
    text = std::to_string(plan.nv) + " " + std::to_string(entries_of(lists) / 2) +
           (weighted ? " 1" : "") + end;
    for (const auto& list : lists) {
      for (const VertexID w : list) text += std::to_string(w + 1) + (weighted ? " 7 " : " ");
      text += end;
    }
    return text;
  }
  const int64_t first_id = format == ".mtx" ? 1 : 0;
  if (format == ".mtx") {
    const std::string rows = std::to_string(plan.nv);
    text = std::string("%%MatrixMarket matrix coordinate ") + (weighted ? "real" : "pattern") +
           " general" + end + rows + " " + rows + " " + std::to_string(plan.edges.size()) + end;
  }
  for (const TupleEdge& e : plan.edges) {
    if (random->below(200) == 0) text += "% a comment" + end;
    text += std::to_string(e.v0 + first_id) + (format == ".tsv" ? "\t" : " ") +
            std::to_string(e.v1 + first_id) + (weighted ? " -1.5e3" : "") + end;
  }
  if (random->below(20) == 0) text += "%" + std::string(size_t(random->below(70000)), 'c');
  return text;
}

void put_gap_side(const fuzz::Lists& lists, bool weighted, std::string* bytes) {
  int64_t offset = 0;
  put(offset, bytes);
  for (const auto& list : lists) put(offset += int64_t(list.size()), bytes);
  for (const auto& list : lists) {
    for (const VertexID w : list) {
      put(int32_t(w), bytes);
      if (weighted) put(int32_t{5}, bytes);
    }
  }
}

std::string gap_file(const Plan& plan, bool weighted) {
  const fuzz::Lists lists = lists_of(plan, plan.directed);
  std::string bytes(1, plan.directed ? '\1' : '\0');
  put(entries_of(lists), &bytes);
  put(plan.nv, &bytes);
  put_gap_side(lists, weighted, &bytes);
  if (!plan.directed) return bytes;
  Plan reversed = plan;
  for (TupleEdge& e : reversed.edges) std::swap(e.v0, e.v1);
  put_gap_side(lists_of(reversed, true), weighted, &bytes);
  return bytes;
}

std::string saved_file(const Plan& plan) {
  const fuzz::Lists lists = lists_of(plan, plan.directed);
  const size_t each = 65536, nv = lists.size(), blocks = (nv + each - 1) / each;
  std::string bytes = "\x89Grappa\n", table, all;
  for (const uint32_t number : {1u, 4u, plan.directed ? 1u : 0u, uint32_t(each)}) {
    put(number, &bytes);
  }
  for (const int64_t number : {plan.nv, entries_of(lists), int64_t(blocks), int64_t{0}}) {
    put(number, &bytes);
  }
  for (size_t block = 0; block < blocks; ++block) {
    put(uint64_t(56 + 16 * blocks + all.size()), &table);
    put(uint64_t{0}, &table);
    const size_t end = std::min(nv, (block + 1) * each);
    for (size_t v = block * each; v < end; ++v) put(uint32_t(lists[v].size()), &all);
    for (size_t v = block * each; v < end; ++v) {
      for (const VertexID w : lists[v]) put(uint32_t(w), &all);
    }
  }
  bytes += table + all;
  fuzz::correct_checksums(&bytes);
  return bytes;
}

std::string record_file(const std::string& format, const Plan& plan) {
  std::string bytes;
  for (const TupleEdge& e : plan.edges) {
    if (format == ".graph500") {
      put(e.v0, &bytes);
      put(e.v1, &bytes);
    } else {
      put(uint32_t(e.v0), &bytes);
      put(uint32_t(e.v1), &bytes);
      if (format == ".packed48") put(int32_t{0}, &bytes);
    }
  }
  return bytes;
}

std::string valid_file(const std::string& format, SplitMix64* random) {
  const Plan plan = some_graph(random, format == ".saved");
  if (format == ".sg" || format == ".wsg") return gap_file(plan, format == ".wsg");
  if (format == ".saved") return saved_file(plan);
  const auto texts = kFormats + kTextFormats;
  if (std::find(kFormats, texts, format) != texts) return text_file(format, plan, random);
  return record_file(format, plan);
}

// Sets a number, in half of the cases in the header, to a value at a limit. Numbers begin at a
// multiple of 4 bytes after `first`.
void overwrite_number(size_t first, std::string* bytes, SplitMix64* random) {
  const int64_t values[] = {0,         1,         -1,         INT32_MAX,        INT32_MIN,
                            INT64_MAX, INT64_MIN, UINT32_MAX, int64_t{1} << 40, random->below(100)};
  const int64_t value = values[random->below(10)];
  const size_t size = random->below(2) == 0 ? 4 : 8;
  if (bytes->size() < first + size) return;
  const int64_t most = int64_t(bytes->size() - first - size) / 4 + 1;
  const int64_t at = random->below(random->below(2) == 0 ? most : std::min<int64_t>(most, 20));
  std::memcpy(&(*bytes)[first + size_t(4 * at)], &value, size);
}

void damage(std::string* bytes, const std::string& format, bool binary, SplitMix64* random) {
  const size_t first = format == ".sg" || format == ".wsg" ? 1 : 0;
  for (int64_t left = random->below(4); left > 0; --left) {
    if (binary && random->below(2) == 0) {
      overwrite_number(first, bytes, random);
    } else {
      fuzz::mutate(bytes, *bytes, kMostBytes, random);
    }
  }
}

bool before(const TupleEdge& a, const TupleEdge& b) {
  return a.v0 != b.v0 ? a.v0 < b.v0 : a.v1 < b.v1;
}

// Takes the edges of the graph, and frees it. Edges of a saved graph are sorted.
Edges take_edges(TupleGraph* graph) {
  Edges edges(static_cast<size_t>(graph->nedge));
  memcpy(edges.data(), graph->edges, graph->nedge);
  graph->destroy();
  return edges;
}

// Loads the file again, with the attributes of its edges.
void check_with_attributes(const std::string& path, const Edges& expected) {
  TupleGraph tuples;
  std::string error;
  if (!TupleGraph::try_load(path, "", &tuples, &error, Attributes::Keep)) {
    GRAPPA_CHECK(error.find("no weight after the two vertex ids") != std::string::npos) << error;
    return;
  }
  GRAPPA_CHECK(take_edges(&tuples) == expected) << path << ": other edges with attributes";
}

bool load(const std::string& path, bool saved, int64_t* nv, Edges* edges, std::string* error) {
  TupleGraph tuples;
  if (!saved) {
    if (!TupleGraph::try_load(path, "", &tuples, error)) return false;
    *nv = tuples.nv;
    *edges = take_edges(&tuples);
    check_with_attributes(path, *edges);
    return true;
  }
  typedef Graph<NoData> Plain;
  GlobalAddress<Plain> g;
  if (!Plain::try_load(path, &g, error)) return false;
  *nv = g->nv;
  if (*nv > 0) {
    tuples = edges_of(g->lists(), g->directed);
    *edges = take_edges(&tuples);
  }
  if (!g->directed) {
    for (TupleEdge& e : *edges) {
      if (e.v0 > e.v1) std::swap(e.v0, e.v1);
    }
  }
  std::sort(edges->begin(), edges->end(), before);
  g->destroy();
  return true;
}

}  // namespace

void fuzz::check_input(const std::string& folder, SplitMix64* random) {
  const int64_t which = random->below(kFormatCount);
  const std::string format = kFormats[which];
  const bool text = which < kTextFormats, saved = format == ".saved";
  const int64_t zip = text ? random->below(4) : 0;
  std::string bytes = valid_file(format, random), plain;
  damage(&bytes, format, !text, random);
  if (saved && random->below(2) == 0) correct_checksums(&bytes);
  const std::string suffix = zip == 1 ? ".gz" : zip == 2 ? ".zst" : "";
  if (!suffix.empty()) {
    bytes = zip == 1 ? zipped(bytes, 1) : zstd_frame(bytes);
    if (random->below(8) == 0) damage(&bytes, format, true, random);
  }
  const std::string path = folder + "/graph" + format + suffix;
  write_file(path, bytes);

  SerialGraph expected;
  const TextState state = text_of(path, bytes, kMostText, &plain);
  if (state == TextState::kTooLarge) return;
  if (state == TextState::kGood && !bytes.empty()) expected = read_serially(format, plain);

  int64_t nv = 0;
  Edges edges;
  std::string error;
  if (!load(path, saved, &nv, &edges, &error)) {
    GRAPPA_CHECK(error.compare(0, path.size() + 1, path + ":") == 0) << error;
    check_sentence(error.substr(path.size()));
    GRAPPA_CHECK(!expected.good || expected.large) << "a valid file is rejected: " << error;
    return;
  }
  GRAPPA_CHECK(expected.good) << path << " is not valid, but was loaded";
  GRAPPA_CHECK(nv == expected.nv) << nv << " vertices, expected " << expected.nv;
  GRAPPA_CHECK(edges.size() == expected.edges.size())
      << edges.size() << " edges, expected " << expected.edges.size();
  for (size_t k = 0; k < edges.size(); ++k) {
    GRAPPA_CHECK(edges[k] == expected.edges[k]) << "edge " << k << " differs";
  }
}
