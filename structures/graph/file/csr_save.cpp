#include "structures/graph/csr/csr_builder.hpp"
#include "structures/graph/file/csr_format.hpp"
#include "structures/graph/file/edge_text.hpp"
#include "structures/graph/file/graph_part.hpp"
#include "structures/graph/file/open_file.hpp"
#include "system/base/check.hpp"
#include "system/global/delegate.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/progress.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/tasking/scheduler.hpp"

#include <fcntl.h>
#include <vector>

namespace Grappa::detail {
namespace {

// Each entry of a list is sent to the core that writes the block of its vertex, and that core sorts
// the entries: building a graph works in the same way. The lengths of the lists are sent too, since
// a block begins with the lengths. Then every core computes the size and the offset of its part.

// The data of a save; sent by value.
struct SavePlan {
  CsrHeader header;
  GlobalAddress<Csr> csr;
  GlobalAddress<GraphPart> parts;

  CsrShares shares() const { return CsrShares(header, cores()); }
};

// Lengths of the lists that this core writes, by vertex, from the first vertex of its share. Owned
// by the task that holds the EntryTurn.
std::vector<uint32_t>* lengths = nullptr;

void send_length(Core to, int64_t place, uint32_t length) {
  if (to == mycore()) {
    (*lengths)[static_cast<size_t>(place)] = length;
  } else {
    delegate::call<async>(to, [place, length] { (*lengths)[static_cast<size_t>(place)] = length; });
  }
}

template <class Id>
void send_list(const SavePlan& plan, const Csr& csr, int64_t place) {
  const CsrShares shares = plan.shares();
  const VertexID v = csr.layout().id(mycore(), place);
  const int64_t length = csr.size(place);
  GRAPPA_DCHECK(length <= int64_t{UINT32_MAX}) << "a vertex has more than 2^32 - 1 neighbours";
  if (length == 0) return;
  const Core writer = shares.core_of(v);
  const Id there = static_cast<Id>(v - shares.first_vertex(writer));
  send_length(writer, static_cast<int64_t>(there), static_cast<uint32_t>(length));
  for (int64_t entry = csr.first(place); entry < csr.first(place + 1); ++entry) {
    const VertexID neighbour = csr.layout().id_of_slot(csr.slot(entry));
    detail::send_entry(writer, ListEntry<Id>{there, static_cast<Id>(neighbour)});
  }
}

// Sends each list to the core that writes the list.
template <class Id>
void send_lists(const SavePlan& plan) {
  on_all_cores([plan] {
    const int64_t mine = plan.shares().vertices(mycore());
    lengths = new std::vector<uint32_t>(static_cast<size_t>(mine));
    IncomingEntries<Id>::here =
        new EntryBuckets<Id>(detail::id_bits(mine), detail::id_bits(plan.header.nv));
  });
  Progress progress("gathering", plan.header.nv, "vertices", plan.csr->vertices());
  const Progress::Counter done = progress.counter();
  on_all_cores([plan, done] {
    const Csr& mine = *plan.csr.pointer();
    forall_here(0, mine.vertices(), [&mine, &plan, done](int64_t first, int64_t count) {
      for (int64_t k = 0; k < count; ++k) send_list<Id>(plan, mine, first + k);
      done.add(count);
    });
  });
  on_all_cores([plan] {
    plan.parts->size = int64_t(lengths->size()) * kCsrCountBytes +
                       IncomingEntries<Id>::here->size() * plan.header.id_bytes();
  });
}

template <class Id>
void write_part(const std::string& path, const SavePlan& plan, Progress::Counter done) {
  const CsrShares shares = plan.shares();
  const int64_t first = shares.first_block(mycore());
  if (shares.vertices(mycore()) == 0) return;
  const int64_t begin = plan.header.table_end() + plan.parts->start;
  OpenFile file(path, O_WRONLY);
  bool written = file.fd() >= 0;
  if (written) {
    CsrWriter<Id> writer(file.fd(), begin, *lengths, IncomingEntries<Id>::here);
    for (int64_t block = first; block < shares.end_block(mycore()); ++block) {
      const int64_t vertices = plan.header.vertices_of(block);
      writer.write_block(vertices, [] { scheduler().yield_if_due(); });
      done.add(vertices);
    }
    written = writer.finish(kCsrHeaderBytes + first * kCsrRowBytes) && file.close();
  }
  if (written) return;
  plan.parts->problem =
      problem_of_file(begin, with_errno("cannot be written on core " + std::to_string(mycore())));
}

template <class Id>
std::string write_parts(const SavePlan& plan, const NewFile& file) {
  const EntryTurn turn;
  send_lists<Id>(plan);
  sum_parts(plan.parts);  // sets plan.parts->start on each core
  Progress progress("saving", plan.header.nv, "vertices", plan.shares().vertices(0));
  const Progress::Counter done = progress.counter();
  char header[kCsrHeaderBytes];
  encode_csr_header(plan.header, header);
  std::string problem;
  if (!write_fully(file.fd(), header, kCsrHeaderBytes, 0)) {
    problem = with_errno("cannot be written");
  } else {
    problem =
        on_all_parts(plan.parts, file.path(), [plan, done](const std::string& path, GraphPart*) {
          write_part<Id>(path, plan, done);
        }).problem.sentence;
  }
  on_all_cores([] {
    delete IncomingEntries<Id>::here;
    IncomingEntries<Id>::here = nullptr;
    delete lengths;
    lengths = nullptr;
  });
  return problem;
}

std::string save(GlobalAddress<Csr> csr, bool directed, const std::string& path) {
  NewFile file(path);
  if (!file.problem().empty() || !file.make()) return file.problem();
  SavePlan plan = {};
  plan.header.nv = csr->layout().nv();
  plan.header.entries = csr->all_entries();
  plan.header.directed = directed;
  plan.csr = csr;
  plan.parts = symmetric<GraphPart>();
  const bool narrow = plan.header.id_bytes() == sizeof(uint32_t);
  const std::string problem =
      narrow ? write_parts<uint32_t>(plan, file) : write_parts<uint64_t>(plan, file);
  global_free(plan.parts);
  if (!problem.empty()) return problem;
  return file.put_in_place() ? "" : file.problem();
}

}  // namespace

bool try_save_csr(GlobalAddress<Csr> csr, bool directed, const std::string& path,
                  std::string* error) {
  const std::string problem = save(csr, directed, path);
  if (!problem.empty()) *error = printable(path) + ": " + problem;
  return problem.empty();
}

}  // namespace Grappa::detail
