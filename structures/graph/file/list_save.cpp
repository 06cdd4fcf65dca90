// Each core writes an equal share of consecutive vertices. Their entries are sent to the core,
// which sorts them, as in graph construction. So equal graphs make equal files.

#include "structures/graph/file/list_save.hpp"

#include "structures/graph/csr/visit_lists.hpp"
#include "structures/graph/file/file_parts.hpp"
#include "structures/graph/file/gap_format.hpp"
#include "structures/graph/file/text_format.hpp"
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

// Sent by value.
struct ListSavePlan {
  GraphFormat format;
  int64_t nv;
  int64_t entries;
  int64_t header_bytes;
  GlobalAddress<GraphPart> parts;

  int64_t vertices_each() const { return (nv + cores() - 1) / cores(); }
  VertexID first_vertex(int64_t core) const { return std::min(core * vertices_each(), nv); }
  int64_t vertices(int64_t core) const { return first_vertex(core + 1) - first_vertex(core); }
  Core core_of(VertexID v) const { return static_cast<Core>(v / vertices_each()); }

  GapHeader gap_header() const {
    GapHeader header;
    header.nv = nv;
    header.entries = entries;
    return header;
  }
};

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

// Calls visit(entry) for the entries of this core in order, until it returns false. Suspends.
template <class Id, class Visit>
bool take_entries(const Progress::Counter& done, const Visit& visit) {
  EntryBuckets<Id>* const buckets = EntrySort<Id>::here;
  for (size_t bucket = 0; bucket < buckets->buckets(); ++bucket) {
    const auto sorted = buckets->take_sorted(bucket);
    for (size_t k = 0; k < sorted.size(); ++k) {
      if (!visit(sorted[k])) return false;
    }
    done.add(int64_t(sorted.size()));
    scheduler().yield_if_due();
  }
  return true;
}

// Writes the offsets and the entries of this core. `before` entries precede them.
bool write_gap(int fd, const ListSavePlan& plan, int64_t before, const Progress::Counter& done) {
  const GapHeader header = plan.gap_header();
  const int64_t first = plan.first_vertex(mycore()), count = plan.vertices(mycore());
  PieceWriter<int32_t> entries(fd, header.entries_at(0) + 4 * before);
  PieceWriter<int64_t> offsets(fd, header.offsets_at(0) + 8 * first);
  for (const uint32_t length : EntrySort<uint32_t>::here->lengths(count)) {
    if (!offsets.put(&before, &before + 1)) return false;
    before += length;
  }
  const bool last = first + count == plan.nv;
  if ((last && !offsets.put(&before, &before + 1)) || !offsets.flush()) return false;
  const auto put = [&entries](const ListEntry<uint32_t>& entry) {
    const auto id = static_cast<int32_t>(entry.neighbour);
    return entries.put(&id, &id + 1);
  };
  return take_entries<uint32_t>(done, put) && entries.flush();
}

// Returns the bytes of this core's lines. Each neighbour is followed by a space or a newline.
template <class Id>
int64_t metis_bytes(const ListSavePlan& plan) {
  int64_t bytes = 0;
  EntrySort<Id>::here->for_each([&bytes](const ListEntry<Id>& entry) {
    const Digits digits(entry.neighbour);
    bytes += digits.last - digits.text + 1;
  });
  const std::vector<uint32_t> lengths = EntrySort<Id>::here->lengths(plan.vertices(mycore()));
  return bytes + std::count(lengths.begin(), lengths.end(), 0);
}

// Writes the lines of this core. `before` bytes of other lines precede them.
template <class Id>
bool write_metis(int fd, const ListSavePlan& plan, int64_t before, const Progress::Counter& done) {
  PieceWriter<char> writer(fd, plan.header_bytes + before);
  static const char kSpace = ' ', kNewline = '\n';
  Id line = 0;  // the local index of the vertex whose line has begun
  bool empty = true;
  const auto end_lines = [&](Id end) {
    for (; line < end; ++line, empty = true) {
      if (!writer.put(&kNewline, &kNewline + 1)) return false;
    }
    return true;
  };
  const auto put = [&](const ListEntry<Id>& entry) {
    if (!end_lines(entry.place)) return false;
    const Digits digits(entry.neighbour);
    if (!empty && !writer.put(&kSpace, &kSpace + 1)) return false;
    empty = false;
    return writer.put(digits.text, digits.last);
  };
  return take_entries<Id>(done, put) && end_lines(Id(plan.vertices(mycore()))) && writer.flush();
}

template <class Id>
void write_lists(const std::string& path, const ListSavePlan& plan, const Progress::Counter& done,
                 GraphPart* part) {
  if (plan.vertices(mycore()) == 0) return;
  OpenFile file(path, O_WRONLY);
  const bool written =
      file.fd() >= 0 &&
      (plan.format == GraphFormat::kMetis ? write_metis<Id>(file.fd(), plan, part->start, done)
                                          : write_gap(file.fd(), plan, part->start, done)) &&
      file.close();
  if (!written) {
    part->problem = problem_of_file(
        mycore(), with_errno("cannot be written on core " + std::to_string(mycore())));
  }
}

template <class Id>
std::string gather_and_write(const ListSavePlan& plan, const std::string& header,
                             GlobalAddress<Csr> csr, NewFile* file) {
  const EntrySort<Id> sort(plan.vertices(0), plan.nv);
  send_lists<Id>(csr, plan);
  on_all_cores([plan] {
    plan.parts->size =
        plan.format == GraphFormat::kMetis ? metis_bytes<Id>(plan) : EntrySort<Id>::here->size();
  });
  sum_parts(plan.parts);  // sets plan.parts->start on each core
  Progress progress("saving", plan.entries, "entries", EntrySort<Id>::here->size());
  return write_parts(file, header, plan.parts,
                     [plan, done = progress.counter()](const std::string& path, GraphPart* part) {
                       write_lists<Id>(path, plan, done, part);
                     });
}

std::string save(GlobalAddress<Csr> csr, GraphFormat format, const std::string& path) {
  const int64_t nv = csr->layout().nv(), entries = csr->all_entries();
  if (nv == 0) return "a graph without vertices cannot be saved: it could not be loaded again";
  if (nv - 1 > largest_id(format)) return too_many_vertices(nv, format);
  NewFile file(path);
  if (!file.problem().empty() || !file.make()) return file.problem();
  ListSavePlan plan = {format, nv, entries, 0, symmetric<GraphPart>()};
  const std::string header = format == GraphFormat::kMetis ? metis_header_line(nv, entries / 2)
                                                           : gap_header_bytes(plan.gap_header());
  plan.header_bytes = int64_t(header.size());
  std::string problem = nv <= int64_t{UINT32_MAX}
                            ? gather_and_write<uint32_t>(plan, header, csr, &file)
                            : gather_and_write<uint64_t>(plan, header, csr, &file);
  global_free(plan.parts);
  // Waits for the disk only after this task has ended its turn to sort entries.
  if (problem.empty() && !file.put_in_place()) problem = file.problem();
  return problem;
}

}  // namespace

bool try_save_lists(GlobalAddress<Csr> csr, GraphFormat format, const std::string& path,
                    std::string* error) {
  const std::string problem = save(csr, format, path);
  if (!problem.empty()) *error = printable(path) + ": " + problem;
  return problem.empty();
}

}  // namespace Grappa::detail
