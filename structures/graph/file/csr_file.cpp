// Saves and loads lists of neighbours on all cores. To save a graph, each entry is sent to the core
// that writes the block of its vertex. The core sorts the entries, as in graph construction. To
// load a graph, the cores first check the whole file, then send the entries to the owners.

#include "structures/graph/csr/csr.hpp"
#include "structures/graph/csr/visit_lists.hpp"
#include "structures/graph/file/csr_format.hpp"
#include "structures/graph/file/edge_sets.hpp"
#include "structures/graph/file/file_parts.hpp"
#include "structures/graph/file/graph_format.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "structures/text/open_file.hpp"
#include "structures/text/quoted.hpp"
#include "system/base/mapping.hpp"
#include "system/parallel/collective.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <fcntl.h>

namespace Grappa::detail {
namespace {

constexpr int kPiecesPerLook = 1024;        // between two network polls
constexpr int64_t kHeapBytesOfCore = 4096;  // upper bound for objects and the padding of arrays

// The data of a save or a load, sent by value. Each core has an equal share of consecutive blocks.
struct CsrPlan {
  CsrHeader header;
  GlobalAddress<GraphPart> parts;

  int64_t blocks_each() const {
    return std::max<int64_t>((header.blocks() + cores() - 1) / cores(), 1);
  }
  int64_t first_block(int64_t core) const {
    return std::min(core * blocks_each(), header.blocks());
  }
  VertexID first_vertex(int64_t core) const {
    return std::min(first_block(core) * kCsrBlockVertices, header.nv);
  }
  int64_t vertices(int64_t core) const { return first_vertex(core + 1) - first_vertex(core); }
  Core core_of(VertexID v) const {
    return static_cast<Core>(v / kCsrBlockVertices / blocks_each());
  }
};

// Sends each list to the core that writes the list, and sets the sizes of the parts.
template <class Id>
void gather_lists(const CsrPlan& plan, GlobalAddress<Csr> csr) {
  send_lists<Id>(csr, plan);
  on_all_cores([plan] {
    plan.parts->size = plan.vertices(mycore()) * kCsrCountBytes +
                       EntrySort<Id>::here->size() * plan.header.id_bytes();
  });
}

template <class Id>
void write_blocks(const std::string& path, const CsrPlan& plan, const Progress::Counter& done,
                  GraphPart* part) {
  const int64_t first = plan.first_block(mycore()), end = plan.first_block(mycore() + 1);
  if (first == end) return;
  const auto after_piece = [done](int64_t vertices) {
    done.add(vertices);
    scheduler().yield_if_due();
  };
  const int64_t at = plan.header.table_end() + part->start;
  OpenFile file(path, O_WRONLY);
  if (file.fd() < 0 ||
      !write_csr_blocks(file.fd(), plan.header, first, end, at, EntrySort<Id>::here, after_piece) ||
      !file.close()) {
    part->problem =
        problem_of_file(at, with_errno("cannot be written on core " + std::to_string(mycore())));
  }
}

template <class Id>
std::string write_lists(const CsrPlan& plan, GlobalAddress<Csr> csr, NewFile* file) {
  const EntrySort<Id> sort(plan.vertices(0), plan.header.nv);
  gather_lists<Id>(plan, csr);
  sum_parts(plan.parts);  // sets plan.parts->start on each core
  Progress progress("saving", plan.header.nv, "vertices", plan.vertices(0));
  std::string header(size_t{kCsrHeaderBytes}, '\0');
  encode_csr_header(plan.header, &header[0]);
  return write_parts(file, header, plan.parts,
                     [plan, done = progress.counter()](const std::string& path, GraphPart* part) {
                       write_blocks<Id>(path, plan, done, part);
                     });
}

std::string save(GlobalAddress<Csr> csr, bool directed, const std::string& path) {
  NewFile file(path);
  if (!file.problem().empty() || !file.make()) return file.problem();
  CsrPlan plan;
  plan.header.nv = csr->layout().nv();
  plan.header.entries = csr->all_entries();
  plan.header.directed = directed;
  plan.parts = symmetric<GraphPart>();
  std::string problem = plan.header.id_bytes() == 4 ? write_lists<uint32_t>(plan, csr, &file)
                                                    : write_lists<uint64_t>(plan, csr, &file);
  global_free(plan.parts);
  // Waits for the disk only after write_lists() has ended the turn of this task to sort entries.
  if (problem.empty() && !file.put_in_place()) problem = file.problem();
  return problem;
}

// Calls visit(vertex, neighbour) for the entries of this core's blocks, until a list is bad. The
// offset of a problem is the offset of the row of its block.
template <class Visit>
FileProblem read_blocks(const std::string& path, const CsrPlan& plan, const Progress::Counter& done,
                        const Visit& visit) {
  const int64_t first = plan.first_block(mycore()), end = plan.first_block(mycore() + 1);
  if (first == end) return FileProblem();
  const OpenFile file(path, O_RDONLY);
  FileProblem problem;
  const int64_t at = csr_row_at(first);
  if (!same_file(file.fd(), plan.header.bytes(), at, &problem)) return problem;
  std::vector<CsrRow> rows(size_t(end + 1 - first));                // one more row, for its offset
  rows.back().offset = static_cast<uint64_t>(plan.header.bytes());  // used if there is no such row
  const int64_t bytes = (std::min(end + 1, plan.header.blocks()) - first) * kCsrRowBytes;
  const std::string bad_rows =
      read_exactly(file.fd(), rows.data(), bytes, at, "the table at byte " + std::to_string(at));
  if (!bad_rows.empty()) return problem_of_file(at, bad_rows);
  int pieces = 0;
  const auto visit_and_poll = [&pieces, &visit](const CsrPiece& piece) {
    for (int64_t k = 0; k < piece.count; ++k) visit(piece.vertex, piece.neighbours[k]);
    if (++pieces % kPiecesPerLook == 0) scheduler().yield_if_due();
  };
  for (int64_t block = first; block < end; ++block) {
    const CsrRow* const row = &rows[static_cast<size_t>(block - first)];
    const std::string bad_block =
        read_csr_block(file.fd(), plan.header, block, row[0], row[1].offset, visit_and_poll);
    if (!bad_block.empty()) return problem_of_file(csr_row_at(block), bad_block);
    done.add(plan.header.vertices_of(block));
  }
  return FileProblem();
}

// Calls visit(vertex, neighbour) on all cores for all entries. Returns "" or the problem.
template <class Visit>
std::string read_file(const std::string& path, const CsrPlan& plan, const char* step, Visit visit) {
  Progress progress(step, plan.header.nv, "vertices", plan.vertices(0));
  const auto read = [plan, done = progress.counter(), visit](const std::string& its_path,
                                                             GraphPart* part) {
    part->problem = read_blocks(its_path, plan, done, visit);
  };
  return on_all_parts(plan.parts, path, read).problem.sentence;
}

// Reads and checks the whole file. Adds its edges to the survey, unless that is null.
std::string check_file(const std::string& path, const CsrPlan& plan,
                       GlobalAddress<RangeSurvey> survey) {
  const GlobalAddress<EdgeSets> sets = symmetric<EdgeSets>();
  EdgeSets* const mine = sets.pointer();  // the same address on every core
  const EdgeKey key = draw_edge_key();
  const std::string problem =
      read_file(path, plan, "checking", [mine, key, survey](VertexID v, VertexID neighbour) {
        mine->add(key, v, neighbour);
        if (survey) survey->add(v, neighbour);
      });
  const bool match = plan.header.directed || all_sets_match(sets);
  global_free(sets);
  return problem.empty() && !match ? kOneSidedEdge : problem;
}

// Returns "" if the graph fits in memory, otherwise a message about the part that does not fit.
// All cores take the memory for `vertices_of_core` vertices.
std::string check_memory(const CsrHeader& header, int64_t vertices_of_core, size_t vertex_bytes) {
  const double bytes = (double(vertices_of_core) * double(vertex_bytes + sizeof(uint64_t)) +
                        double(kHeapBytesOfCore)) *
                       double(cores());
  if (bytes > double(heap_bytes_free())) {
    return std::to_string(header.nv) + " vertices need " + human_bytes(bytes) + "; " +
           human_bytes(double(heap_bytes_free())) + " of the global heap are free";
  }
  const double entries = double(header.entries) * 2 * double(header.id_bytes());
  const double memory =
      double(cores()) / double(topology().machine_cores) * double(physical_memory_bytes());
  if (entries > memory) {
    return std::to_string(header.entries) + " entries need " + human_bytes(entries) +
           " during the sort; the nodes have " + human_bytes(memory) + " of memory";
  }
  return "";
}

std::string read_csr_header(const std::string& path, CsrHeader* header) {
  const OpenFile file(path, O_RDONLY);
  const std::string unusable = why_unreadable(file.fd());
  if (!unusable.empty()) return unusable;
  char bytes[kCsrHeaderBytes] = {};
  if (read_fully(file.fd(), bytes, kCsrHeaderBytes, 0) < 0) return with_errno("cannot be read");
  return parse_csr_header(bytes, file_bytes(file.fd()), header);
}

std::string load(const std::string& path, GraphLayout layout, size_t vertex_bytes, SlotWidth width,
                 GlobalAddress<Csr>* csr, bool* directed) {
  CsrPlan plan;
  std::string problem = read_csr_header(path, &plan.header);
  const int64_t mean_vertices = (plan.header.nv + cores() - 1) / cores();
  if (problem.empty()) problem = check_memory(plan.header, mean_vertices, vertex_bytes);
  if (!problem.empty()) return problem;
  plan.parts = symmetric<GraphPart>();
  GlobalAddress<RangeSurvey> survey;
  if (needs_survey(layout)) survey = symmetric<RangeSurvey>(plan.header.nv);
  problem = check_file(path, plan, survey);
  VertexLayout chosen(plan.header.nv, vertex_bytes);
  if (survey) chosen = RangeSurvey::choose(survey, layout, vertex_bytes);
  if (problem.empty()) problem = check_memory(plan.header, chosen.most_vertices(), vertex_bytes);
  if (problem.empty()) {
    *csr = Csr::build(chosen, width, [&problem, &path, &plan](auto visit) {
      problem = read_file(path, plan, "loading", visit);
    });
    if (!problem.empty()) Csr::destroy(*csr);  // the file was changed after the check
  } else {
    chosen.destroy();
  }
  global_free(plan.parts);
  *directed = plan.header.directed;
  return problem;
}

bool succeeds(const std::string& path, const std::string& problem, std::string* error) {
  if (!problem.empty()) *error = printable(path) + ": " + problem;
  return problem.empty();
}

}  // namespace

bool try_save_csr(GlobalAddress<Csr> csr, bool directed, const std::string& path,
                  std::string* error) {
  return succeeds(path, save(csr, directed, path), error);
}

bool try_load_csr(const std::string& path, GraphLayout layout, size_t vertex_bytes,
                  GlobalAddress<Csr>* csr, bool* directed, std::string* error, SlotWidth width) {
  return succeeds(path, load(path, layout, vertex_bytes, width, csr, directed), error);
}

}  // namespace Grappa::detail
