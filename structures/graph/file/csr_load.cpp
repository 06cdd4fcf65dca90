#include "structures/graph/csr/csr_builder.hpp"
#include "structures/graph/file/csr_format.hpp"
#include "structures/graph/file/edge_text.hpp"
#include "structures/graph/file/graph_part.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "system/base/mapping.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/collective.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/progress.hpp"
#include "system/parallel/reduce.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <fcntl.h>
#include <random>
#include <vector>

namespace Grappa::detail {
namespace {

constexpr int kPiecesPerLook = 1024;  // between two network polls

// An upper bound for the graph's objects and the padding of its arrays on each core.
constexpr int64_t kHeapBytesOfCore = 4096;

// The data of a load; sent by value.
struct LoadPlan {
  CsrHeader header;
  RemoteText path;
  GlobalAddress<GraphPart> parts;

  CsrShares shares() const { return CsrShares(header, cores()); }
};

// Problems are ordered by the row of their block in the table.
int64_t row_at(int64_t block) { return kCsrHeaderBytes + block * kCsrRowBytes; }

// Reads the rows of the blocks `first` to `end - 1`, and one more row: its offset is the end of the
// last block. Returns "" or the problem.
std::string read_rows(int fd, const CsrHeader& header, int64_t first, int64_t end,
                      std::vector<CsrRow>* rows) {
  rows->resize(static_cast<size_t>(end + 1 - first));
  const int64_t bytes = (std::min(end + 1, header.blocks()) - first) * kCsrRowBytes;
  rows->back().offset = static_cast<uint64_t>(header.bytes());  // kept if block `end` has no row
  return read_exactly(fd, rows->data(), bytes, row_at(first),
                      "the table at byte " + std::to_string(row_at(first)));
}

// Calls visit(piece) for the lists of this core's blocks, until a list is bad.
template <class Visit>
FileProblem read_blocks(const LoadPlan& plan, Progress::Counter done, Visit visit) {
  const int64_t first = plan.shares().first_block(mycore());
  const int64_t end = plan.shares().end_block(mycore());
  if (first == end) return FileProblem();
  const OpenFile file(plan.path.fetch(), O_RDONLY);
  FileProblem problem;
  if (!same_file(file.fd(), plan.header.bytes(), row_at(first), &problem)) return problem;
  std::vector<CsrRow> rows;
  const std::string bad_rows = read_rows(file.fd(), plan.header, first, end, &rows);
  if (!bad_rows.empty()) return problem_of_file(row_at(first), bad_rows);
  int pieces = 0;
  const auto visit_and_poll = [&pieces, visit](const CsrPiece& piece) {
    visit(piece);
    if (++pieces % kPiecesPerLook == 0) scheduler().yield_if_due();
  };
  for (int64_t block = first; block < end; ++block) {
    const CsrRow* const row = &rows[static_cast<size_t>(block - first)];
    const std::string bad_block =
        read_csr_block(file.fd(), plan.header, block, row[0], row[1].offset, visit_and_poll);
    if (!bad_block.empty()) return problem_of_file(row_at(block), bad_block);
    done.add(plan.header.vertices_of(block));
  }
  return FileProblem();
}

// Calls visit(piece) on all cores for the lists of the file, and sets the problems of the parts.
template <class Visit>
void read_file(const LoadPlan& plan, const char* step, Visit visit) {
  Progress progress(step, plan.header.nv, "vertices", plan.shares().vertices(0));
  const Progress::Counter done = progress.counter();
  on_all_cores([plan, done, visit] { plan.parts->problem = read_blocks(plan, done, visit); });
}

// Arithmetic modulo the prime 2^61 - 1; operands are below it.
constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;

uint64_t add_mod(uint64_t a, uint64_t b) {
  const uint64_t sum = a + b;
  return sum < kPrime ? sum : sum - kPrime;
}

uint64_t multiply_mod(uint64_t a, uint64_t b) {
  __extension__ typedef unsigned __int128 Product;
  const Product product = static_cast<Product>(a) * b;
  return add_mod(static_cast<uint64_t>(product & kPrime), static_cast<uint64_t>(product >> 61));
}

// The writer of the file cannot predict these random numbers.
struct EdgeKey {
  uint64_t point;
  uint64_t factor;
};

// Two sets of edges: `at_low` holds the edges found in the list of their smaller vertex, and
// `at_high` those found in the list of their larger vertex. In an undirected graph the two sets are
// equal. Each set is represented by a polynomial, the product of (x - low - y * high) over its
// edges, evaluated at a random point (x, y). Different sets of n edges have different polynomials,
// since factorisation is unique, and two such polynomials agree at fewer than n of 2^61 points. So
// different sets are detected with high probability, for any file. (M. Blum, S. Kannan: Designing
// Programs that Check Their Work, JACM 1995.)
struct EdgeSets {
  uint64_t at_low = 1;
  uint64_t at_high = 1;

  void add(const EdgeKey& key, VertexID v, VertexID neighbour) {
    const uint64_t low = static_cast<uint64_t>(std::min(v, neighbour));
    const uint64_t high = static_cast<uint64_t>(std::max(v, neighbour));
    const uint64_t code = add_mod(low, multiply_mod(key.factor, high));
    uint64_t& set = v < neighbour ? at_low : at_high;
    set = multiply_mod(set, add_mod(key.point, kPrime - code));
  }

  static EdgeSets unite(const EdgeSets& a, const EdgeSets& b) {
    EdgeSets both;
    both.at_low = multiply_mod(a.at_low, b.at_low);
    both.at_high = multiply_mod(a.at_high, b.at_high);
    return both;
  }
};

EdgeKey random_key() {
  std::random_device device;
  std::uniform_int_distribution<uint64_t> number(0, kPrime - 1);
  const uint64_t point = number(device);
  return EdgeKey{point, number(device)};
}

// Reads and checks the whole file.
std::string check_file(const LoadPlan& plan) {
  const GlobalAddress<EdgeSets> sets = symmetric<EdgeSets>();
  const EdgeKey key = random_key();
  read_file(plan, "checking", [sets, key](const CsrPiece& piece) {
    EdgeSets* const mine = sets.pointer();
    for (int64_t k = 0; k < piece.count; ++k) mine->add(key, piece.vertex, piece.neighbours[k]);
  });
  const EdgeSets all = reduce<EdgeSets, EdgeSets::unite>(sets);
  global_free(sets);
  const std::string problem = sum_parts(plan.parts).problem.sentence;
  if (!problem.empty() || plan.header.directed || all.at_low == all.at_high) return problem;
  return "the graph is undirected, but an edge is in the list of only one of its vertices";
}

struct FileEdges {
  LoadPlan plan;

  template <class F>
  void for_each_entry(F visit) const {
    read_file(plan, "loading", [visit](const CsrPiece& piece) {
      for (int64_t k = 0; k < piece.count; ++k) visit(piece.vertex, piece.neighbours[k]);
    });
  }
};

// Returns which part of the graph does not fit in memory; "" if the whole graph fits.
std::string check_memory(const CsrHeader& header, size_t vertex_bytes) {
  const double vertices = double(header.nv) * double(vertex_bytes + sizeof(uint64_t)) +
                          double(kHeapBytesOfCore) * double(cores());
  if (vertices > double(heap_bytes_free())) {
    return std::to_string(header.nv) + " vertices need " + human_bytes(vertices) + "; " +
           human_bytes(double(heap_bytes_free())) + " of the global heap are free";
  }
  const double entries = double(header.entries) * 2 * double(header.id_bytes());
  const double machines = double(cores()) / double(topology().machine_cores);
  const double memory = machines * double(physical_memory_bytes());
  if (entries > memory) {
    return std::to_string(header.entries) + " entries need " + human_bytes(entries) +
           " during the sort; the nodes have " + human_bytes(memory) + " of memory";
  }
  return "";
}

std::string read_header(const std::string& path, CsrHeader* header) {
  const OpenFile file(path, O_RDONLY);
  const std::string unusable = why_unreadable(file.fd());
  if (!unusable.empty()) return unusable;
  char bytes[kCsrHeaderBytes] = {};
  if (read_fully(file.fd(), bytes, kCsrHeaderBytes, 0) < 0) return with_errno("cannot be read");
  return parse_csr_header(bytes, file_bytes(file.fd()), header);
}

// Reads the file twice: first to validate the file, then to load the entries.
std::string load(const std::string& path, size_t vertex_bytes, SlotWidth width,
                 GlobalAddress<Csr>* csr, bool* directed) {
  LoadPlan plan = {CsrHeader(), RemoteText(path), {}};
  std::string problem = read_header(path, &plan.header);
  if (problem.empty()) problem = check_memory(plan.header, vertex_bytes);
  if (!problem.empty()) return problem;
  plan.parts = symmetric<GraphPart>();
  problem = check_file(plan);
  if (problem.empty()) {
    const VertexLayout layout(plan.header.nv, vertex_bytes);
    *csr = CsrBuilder::build(FileEdges{plan}, layout, slot_bytes_of(layout, width));
    problem = sum_parts(plan.parts).problem.sentence;  // the file may have changed since the check
    if (!problem.empty()) Csr::destroy(*csr);
  }
  global_free(plan.parts);
  *directed = plan.header.directed;
  return problem;
}

}  // namespace

bool try_load_csr(const std::string& path, size_t vertex_bytes, GlobalAddress<Csr>* csr,
                  bool* directed, std::string* error, SlotWidth width) {
  const std::string problem = load(path, vertex_bytes, width, csr, directed);
  if (!problem.empty()) *error = printable(path) + ": " + problem;
  return problem.empty();
}

}  // namespace Grappa::detail
