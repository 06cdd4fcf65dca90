// Saves and loads lists of neighbours on all cores. To save a graph, each entry is sent to the core
// that writes the block of its vertex. The core sorts the entries, as in graph construction. To
// load a graph, each core reads and checks its share of the blocks. If the whole file is valid, the
// cores send the lists to the owners.

#include "structures/graph/csr/csr.hpp"
#include "structures/graph/csr/own_lists.hpp"
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

// The lists that a job reads, and the checks of them, by Id, the type of an id in the file. Sent by
// value.
template <class Id>
struct CsrReading {
  CsrPlan plan;
  GlobalAddress<OwnLists<Id>> lists;
  GlobalAddress<EdgeSets> sets;
  GlobalAddress<RangeSurvey> survey;  // null if the layout does not need the edges
  EdgeKey key;
};

// Reads the rows of this core's blocks and the offset of the next row into `rows`. Allocates memory
// for the lists of the blocks whose rows are valid, and sets `valid_end` to the end of these
// blocks. The offset of a problem is the offset of its row.
template <class Id>
FileProblem read_rows(int fd, const CsrPlan& plan, OwnLists<Id>* lists, std::vector<CsrRow>* rows,
                      int64_t* valid_end) {
  const int64_t first = plan.first_block(mycore()), end = plan.first_block(mycore() + 1);
  const int64_t at = csr_row_at(first);
  rows->resize(static_cast<size_t>(end + 1 - first));
  rows->back().offset = static_cast<uint64_t>(plan.header.bytes());  // if there is no such row
  const int64_t bytes = (std::min(end + 1, plan.header.blocks()) - first) * kCsrRowBytes;
  const std::string unread =
      read_exactly(fd, rows->data(), bytes, at, "the table at byte " + std::to_string(at));
  if (!unread.empty()) return problem_of_file(at, unread);
  FileProblem problem;
  int64_t entries = 0, block = first;
  for (; block < end; ++block) {
    const CsrRow* const row = rows->data() + (block - first);
    const std::string bad_row = check_csr_row(plan.header, block, row[0], row[1].offset);
    if (!bad_row.empty()) {
      problem = problem_of_file(csr_row_at(block), bad_row);
      break;
    }
    entries += entries_of_row(plan.header, block, row[0], row[1].offset);
  }
  *valid_end = block;
  const VertexID first_vertex = first * kCsrBlockVertices;
  const VertexID end_vertex = std::min(block * kCsrBlockVertices, plan.header.nv);
  lists->allocate(first_vertex, end_vertex - first_vertex, entries);
  return problem;
}

// Reads and checks this core's blocks, until a block is bad.
template <class Id>
FileProblem read_blocks(const std::string& path, const CsrReading<Id>& reading,
                        const Progress::Counter& done) {
  const CsrPlan& plan = reading.plan;
  const int64_t first = plan.first_block(mycore());
  if (first == plan.first_block(mycore() + 1)) return FileProblem();
  const OpenFile file(path, O_RDONLY);
  FileProblem problem;
  if (!same_file(file.fd(), plan.header.bytes(), csr_row_at(first), &problem)) return problem;
  OwnLists<Id>* const lists = reading.lists.pointer();
  EdgeSets* const sets = reading.sets.pointer();
  RangeSurvey* const survey = reading.survey ? reading.survey.pointer() : nullptr;
  std::vector<CsrRow> rows;
  int64_t valid_end = first;
  const FileProblem bad_row = read_rows(file.fd(), plan, lists, &rows, &valid_end);
  const auto take = [&reading, sets, survey](const CsrPiece<Id>& piece) {
    const bool directed = reading.plan.header.directed;
    if (!directed) sets->add_list(reading.key, piece.vertex, piece.neighbours, piece.count);
    if (survey) survey->add_list(piece.vertex, piece.neighbours, piece.count, directed);
  };
  int64_t vertices = 0, entries = 0;
  for (int64_t block = first; block < valid_end; ++block) {
    const CsrRow* const row = &rows[static_cast<size_t>(block - first)];
    const std::string bad_block =
        read_csr_block<Id>(file.fd(), plan.header, block, row[0], row[1].offset,
                           lists->lengths() + vertices, lists->ids() + entries, take);
    if (!bad_block.empty()) return problem_of_file(csr_row_at(block), bad_block);
    vertices += plan.header.vertices_of(block);
    entries += entries_of_row(plan.header, block, row[0], row[1].offset);
    done.add(plan.header.vertices_of(block));
    scheduler().yield_if_due();
  }
  return bad_row;
}

// Reads and checks the whole file. Returns "" or the problem.
template <class Id>
std::string read_file(const std::string& path, const CsrReading<Id>& reading) {
  const CsrPlan& plan = reading.plan;
  Progress progress("loading", plan.header.nv, "vertices", plan.vertices(0));
  const auto read = [reading, done = progress.counter()](const std::string& its_path,
                                                         GraphPart* part) {
    part->problem = read_blocks(its_path, reading, done);
  };
  const std::string problem = on_all_parts(plan.parts, path, read).problem.sentence;
  if (!problem.empty() || plan.header.directed) return problem;
  return all_sets_match(reading.sets) ? "" : kOneSidedEdge;
}

// Returns "" if the graph fits in memory, otherwise a message about the part that does not fit.
// All cores take the memory for `vertices_of_core` vertices.
std::string check_memory(const CsrHeader& header, int64_t vertices_of_core, size_t vertex_bytes,
                         SlotWidth width) {
  const double bytes = (double(vertices_of_core) * double(vertex_bytes + sizeof(uint64_t)) +
                        double(kHeapBytesOfCore)) *
                       double(cores());
  if (bytes > double(heap_bytes_free())) {
    return std::to_string(header.nv) + " vertices need " + human_bytes(bytes) + "; " +
           human_bytes(double(heap_bytes_free())) + " of the global heap are free";
  }
  // The contents of the file, and a slot for each entry. (There are at most 4 slots for a vertex.)
  const bool wide = width == SlotWidth::k64 || header.nv > int64_t{UINT32_MAX} / 4;
  const size_t slot_bytes = wide ? sizeof(uint64_t) : sizeof(uint32_t);
  const double entries = double(header.entries) * double(header.id_bytes() + slot_bytes) +
                         double(header.nv) * sizeof(uint32_t);
  const double memory =
      double(cores()) / double(topology().machine_cores) * double(physical_memory_bytes());
  if (entries > memory) {
    return std::to_string(header.entries) + " entries need " + human_bytes(entries) +
           " while they are loaded; the nodes have " + human_bytes(memory) + " of memory";
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

template <class Id>
std::string load_lists(const std::string& path, const CsrPlan& plan, GraphLayout layout,
                       size_t vertex_bytes, SlotWidth width, GlobalAddress<Csr>* csr) {
  const CsrHeader& header = plan.header;
  CsrReading<Id> reading = {plan, symmetric<OwnLists<Id>>(), symmetric<EdgeSets>(),
                            GlobalAddress<RangeSurvey>(), draw_edge_key()};
  if (needs_survey(layout)) reading.survey = symmetric<RangeSurvey>(header.nv);
  std::string problem = read_file(path, reading);
  global_free(reading.sets);
  VertexLayout chosen(header.nv, vertex_bytes);
  if (reading.survey) chosen = RangeSurvey::choose(reading.survey, layout, vertex_bytes);
  if (problem.empty()) problem = check_memory(header, chosen.most_vertices(), vertex_bytes, width);
  if (problem.empty()) {
    *csr = Csr::from_lists(chosen, width, reading.lists);
  } else {
    chosen.destroy();
    global_free(reading.lists);
  }
  return problem;
}

std::string load(const std::string& path, GraphLayout layout, size_t vertex_bytes, SlotWidth width,
                 GlobalAddress<Csr>* csr, bool* directed) {
  CsrPlan plan;
  std::string problem = read_csr_header(path, &plan.header);
  const int64_t mean_vertices = (plan.header.nv + cores() - 1) / cores();
  if (problem.empty()) problem = check_memory(plan.header, mean_vertices, vertex_bytes, width);
  if (!problem.empty()) return problem;
  *directed = plan.header.directed;
  plan.parts = symmetric<GraphPart>();
  problem = plan.header.id_bytes() == 4
                ? load_lists<uint32_t>(path, plan, layout, vertex_bytes, width, csr)
                : load_lists<uint64_t>(path, plan, layout, vertex_bytes, width, csr);
  global_free(plan.parts);
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
