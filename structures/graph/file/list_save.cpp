// Builds the lists in a layout in which each core owns an equal share of consecutive vertices, and
// then writes the share of each core. So equal graphs make equal files.

#include "structures/graph/file/list_save.hpp"

#include "structures/graph/csr/visit_attributes.hpp"
#include "structures/graph/file/file_parts.hpp"
#include "structures/graph/file/gap_format.hpp"
#include "structures/graph/file/text_format.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "structures/text/open_file.hpp"
#include "structures/text/quoted.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <vector>

namespace Grappa::detail {
namespace {

constexpr size_t kListBytes = size_t{1} << 20;  // in a piece

typedef std::vector<int32_t> Weights;  // of the entries of a core

// Sent by value.
struct ListSavePlan {
  GraphFormat format;
  GlobalAddress<Csr> csr;
  GlobalAddress<Weights> weights;  // null if the format has none
  int64_t header_bytes;
  GlobalAddress<GraphPart> parts;

  GapHeader gap_header() const {
    GapHeader header;
    header.nv = csr->layout().nv();
    header.entries = csr->all_entries();
    if (weights) header.entry_bytes = sizeof(GapWeightedEntry);
    return header;
  }
};

VertexLayout equal_shares(int64_t nv) {
  const int64_t each = (nv + cores() - 1) / cores();
  const auto firsts = symmetric_global_alloc<VertexID>(cores() + 1);
  on_all_cores([nv, each, firsts] {
    for (int64_t core = 0; core <= cores(); ++core) {
      firsts.pointer()[core] = std::min(core * each, nv);
    }
  });
  return VertexLayout(nv, sizeof(uint64_t), firsts);
}

// Writes values of type T from offset `at` of a file on, in pieces.
template <class T>
class PieceWriter {
 public:
  PieceWriter(int fd, int64_t at) : fd_(fd), at_(at) {}

  // On failure, both return false and set errno.
  bool put(const T* first, const T* last) {
    values_.insert(values_.end(), first, last);
    return values_.size() < kListBytes / sizeof(T) || flush();
  }
  bool put(const T& value) { return put(&value, &value + 1); }
  bool flush() {
    const int64_t bytes = int64_t(values_.size() * sizeof(T)), at = at_;
    at_ += bytes;
    const bool good = write_fully(fd_, reinterpret_cast<const char*>(values_.data()), bytes, at);
    values_.clear();
    return good;
  }

 private:
  int fd_;
  int64_t at_;
  std::vector<T> values_;
};

// The decimal digits of an id, which counts from 1.
struct Digits {
  explicit Digits(uint64_t id) : last(std::to_chars(text, text + sizeof text, id + 1).ptr) {}
  char text[20];
  char* last;
};

// Calls put(entry, neighbour) for the entries of the vertex at `place`, until it returns false.
template <class Put>
bool put_list(const Csr& mine, int64_t place, const Put& put) {
  for (int64_t entry = mine.first(place); entry < mine.first(place + 1); ++entry) {
    if (!put(entry, mine.layout().id_of_slot(mine.slot(entry)))) return false;
  }
  return true;
}

// Calls write(place) for the vertices of this core, until it returns false.
template <class Write>
bool write_each(const Csr& mine, const Progress::Counter& done, const Write& write) {
  for (int64_t place = 0; place < mine.vertices(); ++place) {
    if (!write(place)) return false;
    done.add(mine.size(place));
    scheduler().yield_if_due();
  }
  return true;
}

// Writes the offsets and the entries of this core. `before` entries precede them.
bool write_gap(int fd, const ListSavePlan& plan, int64_t before, const Progress::Counter& done) {
  const Csr& mine = *plan.csr.pointer();
  const GapHeader header = plan.gap_header();
  const VertexID first = mine.layout().id(mycore(), 0);
  const bool last = first + mine.vertices() == header.nv;
  PieceWriter<int64_t> offsets(fd, header.offsets_at(0) + 8 * first);
  for (int64_t place = 0; place < mine.vertices() + last; ++place) {
    if (!offsets.put(before + mine.first(place))) return false;
  }
  if (!offsets.flush()) return false;
  const int64_t at = header.entries_at(0) + header.entry_bytes * before;
  if (!plan.weights) {
    PieceWriter<int32_t> entries(fd, at);
    const auto put = [&entries](int64_t, VertexID id) { return entries.put(int32_t(id)); };
    return write_each(mine, done, [&](int64_t place) { return put_list(mine, place, put); }) &&
           entries.flush();
  }
  const Weights& weights = *plan.weights.pointer();
  PieceWriter<GapWeightedEntry> entries(fd, at);
  const auto put = [&entries, &weights](int64_t entry, VertexID id) {
    return entries.put(GapWeightedEntry{int32_t(id), weights[size_t(entry)]});
  };
  return write_each(mine, done, [&](int64_t place) { return put_list(mine, place, put); }) &&
         entries.flush();
}

// Returns the bytes of this core's lines. Each neighbour is followed by a space or a newline.
int64_t metis_bytes(const Csr& mine) {
  int64_t bytes = 0;
  for (int64_t place = 0; place < mine.vertices(); ++place) {
    mine.for_each_entry(place, [&bytes](VertexID, VertexID neighbour) {
      const Digits digits(static_cast<uint64_t>(neighbour));
      bytes += digits.last - digits.text + 1;
    });
    if (mine.size(place) == 0) ++bytes;
    scheduler().yield_if_due();
  }
  return bytes;
}

// Writes the lines of this core. `before` bytes of other lines precede them.
bool write_metis(int fd, const ListSavePlan& plan, int64_t before, const Progress::Counter& done) {
  const Csr& mine = *plan.csr.pointer();
  PieceWriter<char> writer(fd, plan.header_bytes + before);
  const auto write_line = [&mine, &writer](int64_t place) {
    const int64_t first = mine.first(place);
    const auto put = [first, &writer](int64_t entry, VertexID neighbour) {
      const Digits digits(static_cast<uint64_t>(neighbour));
      return (entry == first || writer.put(' ')) && writer.put(digits.text, digits.last);
    };
    return put_list(mine, place, put) && writer.put('\n');
  };
  return write_each(mine, done, write_line) && writer.flush();
}

void write_share(const std::string& path, const ListSavePlan& plan, const Progress::Counter& done,
                 GraphPart* part) {
  if (plan.csr->vertices() == 0) return;
  OpenFile file(path, O_WRONLY);
  const auto write = plan.format == GraphFormat::kMetis ? &write_metis : &write_gap;
  const bool written = file.fd() >= 0 && write(file.fd(), plan, part->start, done) && file.close();
  if (!written) {
    part->problem = problem_of_file(
        mycore(), with_errno("cannot be written on core " + std::to_string(mycore())));
  }
}

std::string write_all(ListSavePlan plan, NewFile* file) {
  plan.parts = symmetric<GraphPart>();
  const std::string header =
      plan.format == GraphFormat::kMetis
          ? metis_header_line(plan.csr->layout().nv(), plan.csr->all_entries() / 2)
          : gap_header_bytes(plan.gap_header());
  plan.header_bytes = int64_t(header.size());
  on_all_cores([plan] {
    plan.parts->size =
        plan.format == GraphFormat::kMetis ? metis_bytes(*plan.csr.pointer()) : plan.csr->entries();
  });
  sum_parts(plan.parts);  // sets plan.parts->start on each core
  std::string problem;
  {
    Progress progress("saving", plan.csr->all_entries(), "entries", plan.csr->entries());
    problem =
        write_parts(file, header, plan.parts,
                    [plan, done = progress.counter()](const std::string& path, GraphPart* part) {
                      write_share(path, plan, done, part);
                    });
  }
  global_free(plan.parts);
  return problem;
}

GlobalAddress<Weights> least_weights(const TupleGraph& graph, GlobalAddress<Csr> csr) {
  const auto weights = symmetric<Weights>();
  on_all_cores([csr, weights] { weights->assign(size_t(csr->entries()), INT32_MAX); });
  visit_attributes(graph, csr, false, [weights](int64_t entry, const EdgeAttributes& attributes) {
    int32_t* const weight = &(*weights.pointer())[size_t(entry)];
    *weight = std::min(*weight, static_cast<int32_t>(attributes.weight));
  });
  return weights;
}

// Builds the lists of `nv` vertices by create(layout), and their weights by weigh(csr).
template <class Create, class Weigh>
bool save(int64_t nv, GraphFormat format, const std::string& path, std::string* error,
          const Create& create, const Weigh& weigh) {
  const auto fail = [&path, error](const std::string& problem) {
    *error = printable(path) + ": " + problem;
    return false;
  };
  if (nv == 0)
    return fail("a graph without vertices cannot be saved: it could not be loaded again");
  if (nv - 1 > largest_id(format)) return fail(too_many_vertices(nv, format));
  const double vertices_each = double(nv) / double(cores()) + 1;
  const double csr_bytes =
      double(cores()) *
      (double(sizeof(uint64_t)) * (vertices_each + double(cores()) + 1) + double(kHeapBytesOfCore));
  if (csr_bytes > double(heap_bytes_free())) {
    return fail("the lists of " + std::to_string(nv) + " vertices need " + human_bytes(csr_bytes) +
                "; " + human_bytes(double(heap_bytes_free())) + " of the global heap are free");
  }
  NewFile file(path);
  if (!file.problem().empty() || !file.make()) return fail(file.problem());
  const GlobalAddress<Csr> csr = create(equal_shares(nv));
  const GlobalAddress<Weights> weights = weigh(csr);
  const std::string problem = write_all({format, csr, weights, 0, {}}, &file);
  if (weights) global_free(weights);
  Csr::destroy(csr);
  if (!problem.empty()) return fail(problem);
  return file.put_in_place() || fail(file.problem());
}

}  // namespace

bool try_save_lists(GlobalAddress<Csr> csr, GraphFormat format, const std::string& path,
                    std::string* error) {
  GRAPPA_CHECK(!needs_weights(format)) << ": lists without weights, format " << format_name(format);
  return save(
      csr->layout().nv(), format, path, error,
      [csr](const VertexLayout& layout) { return Csr::create_from(csr, layout); },
      [](GlobalAddress<Csr>) { return GlobalAddress<Weights>(); });
}

bool try_save_lists(const TupleGraph& graph, GraphFormat format, const std::string& path,
                    std::string* error) {
  return save(
      graph.nv, format, path, error,
      [&graph](const VertexLayout& layout) { return Csr::create(graph, false, layout); },
      [&graph, format](GlobalAddress<Csr> csr) {
        return format == GraphFormat::kWeightedGap ? least_weights(graph, csr)
                                                   : GlobalAddress<Weights>();
      });
}

}  // namespace Grappa::detail
