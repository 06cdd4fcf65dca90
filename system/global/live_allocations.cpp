#include "system/global/live_allocations.hpp"

#include "system/base/bits.hpp"
#include "system/base/check.hpp"
#include "system/global/address.hpp"
#include "system/global/heap.hpp"

#include <iterator>
#include <sstream>

namespace Grappa::detail {
namespace {

typedef LiveAllocations::Range Range;
typedef GlobalAddress<void> Address;

/// Null if the mode is off or no heap exists.
const LiveAllocations* live_allocations() {
  return is_absent(the_heap) ? nullptr : heap().live_allocations();
}

/// Describes the beginning of a range relative to the preceding allocation.
std::string position(const LiveAllocations& live, uint64_t offset) {
  const Range before = live.last_up_to(offset);
  if (before.end == 0) return "no allocation precedes these bytes";
  std::ostringstream text;
  text << "the preceding allocation has " << before.end - before.begin << " bytes at "
       << Address::from_raw(before.begin) << ", and the access begins at its offset "
       << offset - before.begin;
  return text.str();
}

void require(const LiveAllocations& live, Range range, const char* what) {
  GRAPPA_CHECK(live.contains(range))
      << what << " at " << Address::from_raw(range.begin) << " accesses " << range.end - range.begin
      << " bytes of the global heap that are not allocated: " << position(live, range.begin);
}

}  // namespace

LiveAllocations::Range LiveAllocations::last_up_to(uint64_t offset) const {
  const auto behind = end_by_begin_.upper_bound(offset);
  if (behind == end_by_begin_.begin()) return Range{0, 0};
  const auto found = std::prev(behind);
  return Range{found->first, found->second};
}

void require_allocated(Core owner, const void* place, uint64_t bytes, const char* what) {
  const LiveAllocations* const live = live_allocations();
  const uint64_t local = reinterpret_cast<uint64_t>(place) - kHeapBase;
  // An access to a null address faults, and the report of the fault mentions the null address.
  if (live == nullptr || bytes == 0 || local >= heap().bytes_per_core() || heap().is_null(place)) {
    return;
  }
  const uint64_t last = block_cyclic().linear_offset(owner, local + bytes - 1);
  require(*live, Range{block_cyclic().linear_offset(owner, local), last + 1}, what);
}

void require_allocated(uint64_t raw_bits, uint64_t bytes, const char* what) {
  const auto address = GlobalAddress<char>::from_raw(raw_bits);
  if (address.is_2D()) return require_allocated(address.core(), address.pointer(), bytes, what);
  const LiveAllocations* const live = live_allocations();
  if (live == nullptr || bytes == 0 || heap().is_null(address.pointer())) return;
  require(*live, Range{raw_bits, raw_bits + bytes}, what);
}

void fail_other_owner(uint64_t raw_bits) {
  const Core owner = Address::from_raw(raw_bits).core();
  GRAPPA_CHECK(owner == mycore())
      << ": operator-> or operator* on " << Address::from_raw(raw_bits) << ", an element of core "
      << owner << ": the pointer is valid on the owner only; use delegate::read, write or call";
  __builtin_unreachable();
}

bool in_one_allocation(uint64_t a, uint64_t b) {
  const LiveAllocations* const live = live_allocations();
  if (live == nullptr || a == b) return true;
  const uint64_t lower = a < b ? a : b, upper = a < b ? b : a;
  // block_max() of the last element may lie after the end, in the same stripe of blocks.
  const uint64_t stripe_bytes = static_cast<uint64_t>(block_size) * static_cast<uint64_t>(cores());
  return upper <= align_up(live->last_up_to(lower).end, stripe_bytes);
}

void fail_difference(uint64_t a, uint64_t b) {
  GRAPPA_CHECK(in_one_allocation(a, b))
      << ": the difference of " << Address::from_raw(a) << " and " << Address::from_raw(b)
      << ", which are not in one live allocation: subtract addresses in one array only";
  __builtin_unreachable();
}

}  // namespace Grappa::detail
