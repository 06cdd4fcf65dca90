// Reads the serialized graphs of the GAP Benchmark Suite on all cores in parallel (gap_format.hpp).
// Every core first checks its share of the offsets. Then it reads its share of the entries, and
// finds their vertices in the offsets. An undirected graph has an entry for each end of an edge, so
// only the entries of the smaller end become edges.

#include "structures/graph/file/edge_load.hpp"
#include "structures/graph/file/edge_sets.hpp"
#include "structures/graph/file/gap_format.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/progress.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <fcntl.h>
#include <vector>

namespace Grappa::detail {
namespace {

constexpr int64_t kPiece = 1 << 16;  // elements that are read at a time

// Sent by value.
struct GapPlan {
  LoadPlan load;
  GapHeader header;
  EdgeKey key;
  GlobalAddress<EdgeSets> sets;  // for an undirected graph
};

// An array in a file. Pieces of `piece` elements are read when they are used, in ascending order.
template <class T>
class FileArray {
 public:
  FileArray(int fd, int64_t at, int64_t size, int64_t piece)
      : fd_(fd), at_(at), size_(size), piece_(piece) {}

  int64_t offset_of(int64_t i) const { return at_ + i * int64_t(sizeof(T)); }

  // Sets `value` to element `i`, or returns false and sets problem().
  bool get(int64_t i, T* value) {
    if (i < first_ || i - first_ >= int64_t(elements_.size())) {
      if (!read(i)) return false;
    }
    *value = elements_[static_cast<size_t>(i - first_)];
    return true;
  }
  const FileProblem& problem() const { return problem_; }

 private:
  bool read(int64_t i) {
    first_ = i;
    elements_.resize(static_cast<size_t>(std::clamp<int64_t>(size_ - i, 0, piece_)));
    const int64_t bytes = int64_t(elements_.size() * sizeof(T));
    const int64_t got =
        read_fully(fd_, reinterpret_cast<char*>(elements_.data()), bytes, offset_of(i));
    if (got == bytes && bytes > 0) return true;
    elements_.clear();
    problem_ = FileProblem(offset_of(i) + std::max<int64_t>(got, 0),
                           got < 0 ? with_errno("cannot be read") : kFileEndsEarly);
    return false;
  }

  int fd_;
  int64_t at_, size_, piece_;
  int64_t first_ = 0;  // index of elements_[0]
  std::vector<T> elements_;
  FileProblem problem_;
};

typedef FileArray<int64_t> Offsets;

Offsets offsets_of(int fd, const GapHeader& header, int side, int64_t piece) {
  return {fd, header.offsets_at(side), header.nv + 1, piece};
}

// Checks this core's share of the offsets of one side.
FileProblem check_offsets(int fd, const GapHeader& header, int side) {
  const int64_t begin = share_begin(header.nv, mycore());
  const int64_t end = share_begin(header.nv, mycore() + 1);
  if (begin == end) return FileProblem();
  Offsets offsets = offsets_of(fd, header, side, std::min(kPiece, end + 1 - begin));
  int64_t last = 0, offset = 0;
  for (int64_t v = begin; v <= end; ++v, last = offset) {
    if (!offsets.get(v, &offset)) return offsets.problem();
    const auto it = [&offset, &v] {
      return "offset " + std::to_string(offset) + " of vertex " + std::to_string(v);
    };
    if (v > begin && offset < last) {
      return {offsets.offset_of(v), it() + " is smaller than the offset " + std::to_string(last) +
                                        " of the vertex before it"};
    }
    if (v == 0 && offset != 0) return {offsets.offset_of(v), it() + ", expected 0"};
    if (v == header.nv && offset != header.entries) {
      return {offsets.offset_of(v), "the last offset is " + std::to_string(offset) +
                                        ", but the header declares " +
                                        std::to_string(header.entries) + " entries"};
    }
  }
  return FileProblem();
}

// Returns the vertex whose list has this entry. The offsets are in ascending order.
VertexID vertex_of(int64_t entry, Offsets* offsets, int64_t nv) {
  VertexID low = 0, high = nv;  // the offset of `low` is at most `entry`, that of `high` is not
  while (high - low > 1) {
    const VertexID middle = low + (high - low) / 2;
    int64_t offset = 0;
    if (!offsets->get(middle, &offset)) break;
    (offset <= entry ? low : high) = middle;
  }
  return low;
}

int32_t id_of(int32_t entry) { return entry; }
int32_t id_of(const GapWeightedEntry& entry) { return entry.id; }
EdgeAttributes attributes_of(int32_t) { return {}; }
EdgeAttributes attributes_of(const GapWeightedEntry& entry) { return {double(entry.weight), 0}; }

// Reads this core's share of the entries of one side. Takes the edges of side 0 only: the other
// side repeats them.
template <class Entry>
FileProblem read_entries(int fd, const GapPlan& plan, int side, const Progress::Counter& done,
                         GraphPart* part) {
  const GapHeader& header = plan.header;
  const int64_t begin = share_begin(header.entries, mycore());
  const int64_t end = share_begin(header.entries, mycore() + 1);
  if (begin == end) return FileProblem();
  EdgeBuffer* const buffer = plan.load.buffers.operator->();
  Offsets search = offsets_of(fd, header, side, 1);
  VertexID v = vertex_of(begin, &search, header.nv);
  if (search.problem().found()) return search.problem();
  Offsets offsets = offsets_of(fd, header, side, kPiece);
  FileArray<Entry> entries(fd, header.entries_at(side), end, kPiece);
  int64_t list_end = 0;
  if (!offsets.get(v + 1, &list_end)) return offsets.problem();
  for (int64_t i = begin; i < end; ++i) {
    while (i >= list_end) {
      if (!offsets.get(++v + 1, &list_end)) return offsets.problem();
    }
    Entry entry;
    if (!entries.get(i, &entry)) return entries.problem();
    const VertexID neighbour = id_of(entry);
    if (neighbour < 0 || neighbour >= header.nv) {
      return {entries.offset_of(i), "vertex " + std::to_string(v) + " has the neighbour " +
                                        std::to_string(neighbour) + ", but the graph has " +
                                        std::to_string(header.nv) + " vertices"};
    }
    if ((i + 1 - begin) % kPiece == 0) done.add(kPiece);
    if (side != 0) continue;
    if (!header.directed && v != neighbour) plan.sets->add(plan.key, v, neighbour);
    std::string problem;
    if ((header.directed || v <= neighbour) &&
        !take_edge({v, neighbour}, attributes_of(entry), plan.load, buffer, part, &problem)) {
      return {entries.offset_of(i), problem};
    }
  }
  return FileProblem();
}

// Calls read(fd, side, part) on every core for the lists of each side, and returns the totals.
template <class Read>
PartTotals for_each_side(const std::string& path, const GapPlan& plan, const Read& read) {
  return on_all_parts(
      plan.load.parts, path, [plan, read](const std::string& path_here, GraphPart* part) {
        const OpenFile file(path_here, O_RDONLY);
        const int64_t begin = share_begin(plan.load.file_bytes, mycore());
        if (!same_file(file.fd(), plan.load.file_bytes, begin, &part->problem)) return;
        for (int side = 0; side < plan.header.sides() && !part->problem.found(); ++side) {
          part->problem = read(file.fd(), side, part);
        }
      });
}

FileProblem read_lists(const std::string& path, const GapPlan& plan, PartTotals* totals) {
  *totals = for_each_side(path, plan, [plan](int fd, int side, GraphPart*) {
    return check_offsets(fd, plan.header, side);
  });
  if (totals->problem.found()) return totals->problem;
  Progress progress("reading", plan.header.sides() * plan.header.entries, "entries");
  const auto read = [plan, done = progress.counter()](int fd, int side, GraphPart* part) {
    const FileProblem problem = plan.load.format == GraphFormat::kWeightedGap
                                    ? read_entries<GapWeightedEntry>(fd, plan, side, done, part)
                                    : read_entries<int32_t>(fd, plan, side, done, part);
    part->size = plan.load.buffers->size();
    return problem;
  };
  *totals = for_each_side(path, plan, read);
  if (totals->problem.found()) return totals->problem;
  if (plan.header.directed || all_sets_match(plan.sets)) return FileProblem();
  return problem_of_file(0, kOneSidedEdge);
}

}  // namespace

FileProblem load_gap(const std::string& path, int fd, const LoadPlan& load, TupleGraph* graph) {
  GapPlan plan = {load, GapHeader(), draw_edge_key(), GlobalAddress<EdgeSets>()};
  const bool weighted = load.format == GraphFormat::kWeightedGap;
  FileProblem problem = read_gap_header(fd, load.file_bytes, weighted, &plan.header);
  if (problem.found()) return problem;
  const GapHeader& header = plan.header;
  std::string too_large =
      check_id(header.nv - 1, load, "a graph of " + std::to_string(header.nv) + " vertices");
  if (too_large.empty()) {
    too_large = check_edges(header.directed ? header.entries : header.entries / 2, load);
  }
  if (!too_large.empty()) return problem_of_file(0, too_large);
  plan.sets = symmetric<EdgeSets>();
  PartTotals totals;
  problem = read_lists(path, plan, &totals);
  global_free(plan.sets);
  if (problem.found()) return problem;
  too_large = check_edges(totals.size, load);
  if (!too_large.empty()) return problem_of_file(0, too_large);
  graph->nv = header.nv;
  end_runs(load);
  gather_edges(load, totals.size, totals.largest_size, graph);
  return FileProblem();
}

}  // namespace Grappa::detail
