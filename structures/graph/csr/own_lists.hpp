#pragma once

/// Lists of consecutive vertices in the memory of each core, and their move to the owners of the
/// vertices.
///
/// A core has its vertices in the order of their ids, in every layout. So the vertices of one
/// reader that have the same owner are consecutive there, and their entries are consecutive, too:
/// the reader sends two streams to each owner, first of lengths and then of entries. Nothing is
/// sorted.

#include "structures/graph/csr/csr.hpp"
#include "structures/graph/csr/vertex_layout.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/global/address.hpp"
#include "system/parallel/progress.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa { namespace detail {

/// The lists that one core has read. It is a symmetric object. Id: uint32_t or uint64_t.
template <class Id>
class OwnLists {
 public:
  OwnLists() = default;
  ~OwnLists() {
    if (ids_ != nullptr) unmap(ids_, mapped_bytes_);
  }
  OwnLists(const OwnLists&) = delete;
  OwnLists& operator=(const OwnLists&) = delete;

  /// Allocates memory for the vertices from `first` on. Called at most once.
  void allocate(VertexID first, int64_t vertices, int64_t entries) {
    first_ = first;
    lengths_.resize(static_cast<size_t>(vertices));
    if (entries == 0) return;
    mapped_bytes_ = align_up(static_cast<size_t>(entries) * sizeof(Id), page_bytes());
    ids_ = static_cast<Id*>(map_private_aligned(mapped_bytes_, kHugePageBytes));
    advise_huge_pages(ids_, mapped_bytes_);
  }

  VertexID first() const { return first_; }
  int64_t vertices() const { return static_cast<int64_t>(lengths_.size()); }
  uint32_t* lengths() { return lengths_.data(); }

  /// The entries of all lists, as ids of vertices, in the order of the lists.
  Id* ids() { return ids_; }

  /// Frees memory of the entries before `entry`, in steps of some MiB.
  void discard_before(int64_t entry) {
    const size_t whole = static_cast<size_t>(entry) * sizeof(Id) / kStepBytes * kStepBytes;
    if (whole == discarded_bytes_) return;
    discard_pages(reinterpret_cast<char*>(ids_) + discarded_bytes_, whole - discarded_bytes_);
    discarded_bytes_ = whole;
  }

 private:
  static constexpr size_t kStepBytes = 16 * MiB;  // a step flushes the TLB; not measured

  VertexID first_ = 0;
  std::vector<uint32_t> lengths_;
  Id* ids_ = nullptr;
  size_t mapped_bytes_ = 0;
  size_t discarded_bytes_ = 0;
};

}}  // namespace Grappa::detail
