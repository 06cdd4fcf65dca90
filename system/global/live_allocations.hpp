#pragma once

/// The allocated ranges of the global heap, copied to every core in checked mode
/// (base/checked_mode.hpp). A call that requests an access outside of these ranges aborts the job.
///
/// Core 0 manages the heap. In checked mode, global_alloc and global_free also notify all cores
/// before they return. The fast paths of delegates do not test the mode, because checked mode
/// disables the fast paths (message/closure_check.hpp).

#include "system/base/checked_mode.hpp"
#include "system/base/compiler.hpp"
#include "system/base/ids.hpp"

#include <cstdint>
#include <map>

namespace Grappa {
namespace detail {

/// All positions are linear offsets in bytes.
class LiveAllocations {
 public:
  struct Range {
    uint64_t begin;
    uint64_t end;
  };

  void add(uint64_t begin, uint64_t bytes) { end_by_begin_[begin] = begin + bytes; }
  void remove(uint64_t begin) { end_by_begin_.erase(begin); }

  /// The last allocation that begins at or before `offset`, or an empty range at 0.
  Range last_up_to(uint64_t offset) const;

  /// True if one allocation contains all bytes of a range.
  bool contains(Range range) const { return range.end <= last_up_to(range.begin).end; }

 private:
  std::map<uint64_t, uint64_t> end_by_begin_;
};

/// Aborts the job if the `bytes` bytes at `place` on core `owner` belong to the global heap but not
/// to one live allocation. `what` names the operation. From: checked mode only.
void require_allocated(Core owner, const void* place, uint64_t bytes, const char* what);
/// require_allocated() for the bytes that begin at a global address.
void require_allocated(uint64_t raw_bits, uint64_t bytes, const char* what);

/// Calls require_allocated() in checked mode; otherwise does nothing.
inline void check_allocated(uint64_t raw_bits, uint64_t bytes, const char* what) {
  if (GRAPPA_UNLIKELY(checked_mode())) require_allocated(raw_bits, bytes, what);
}
/// check_allocated() for the object that a delegate accesses.
template <class T>
void check_access(Core owner, const T* object, const char* what = "a delegate") {
  if (GRAPPA_UNLIKELY(checked_mode())) require_allocated(owner, object, sizeof(T), what);
}

}  // namespace detail
}  // namespace Grappa
