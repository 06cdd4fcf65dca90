#include "system/global/heap.hpp"

#include "system/base/check.hpp"
#include "system/base/input_error.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/global/options.hpp"
#include "system/net/world.hpp"
#include "system/observe/counters.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>

namespace Grappa { namespace detail {

BlockCyclic the_block_cyclic;
GRAPPA_CORE_LOCAL(GlobalHeap*) the_heap = GRAPPA_ABSENT(GlobalHeap);

namespace {

Counter allocated("global.heap_bytes", "bytes",
                  "of the global heap allocated at the end of the job");
Counter high_water("global.heap_high_water", "bytes",
                   "of the global heap allocated, sum of the peaks of all cores");
Counter resident("global.heap_resident", "bytes",
                 "of the global heap in memory at the end of the job, sum of all cores");
Counter resident_most("global.heap_resident_most", "bytes",
                      "of the global heap in memory, maximum of all cores", Counter::Total::Max);
Counter reserved("global.heap_reserved", "bytes", "of address space reserved for the global heap");

typedef GlobalAddress<void> Address;

/// The allocated linear ranges, begin -> end, on every core. Null if checked mode is off.
std::unique_ptr<std::map<uint64_t, uint64_t>> live;

constexpr uint64_t kMostStripesOfPart = 1024;  // 64 KiB on each core; chosen without a measurement

/// The size of the inaccessible range at offset 0. A huge page also detects null plus an offset.
size_t guard_bytes(size_t bytes_per_core) {
  const size_t whole_pages = bytes_per_core / 64 / page_bytes() * page_bytes();
  return std::min(kHugePageBytes, std::max(page_bytes(), whole_pages));
}

/// The last live allocation that begins at or before `offset`, or an empty range at 0.
HeapRange last_up_to(uint64_t offset) {
  const auto behind = live->upper_bound(offset);
  if (behind == live->begin()) return HeapRange{0, 0};
  const auto found = std::prev(behind);
  return HeapRange{found->first, found->second};
}

/// The position of an access relative to the preceding allocation.
std::string position(uint64_t offset) {
  const HeapRange before = last_up_to(offset);
  if (before.end == 0) return "no allocation precedes these bytes";
  std::ostringstream text;
  text << "the preceding allocation has " << before.end - before.begin << " bytes at "
       << Address::from_raw(before.begin) << ", and the access begins at its offset "
       << offset - before.begin;
  return text.str();
}

void require_live(HeapRange range, const char* what) {
  GRAPPA_CHECK(range.end <= last_up_to(range.begin).end)
      << what << " at " << Address::from_raw(range.begin) << " accesses " << range.end - range.begin
      << " bytes of the global heap that are not allocated: " << position(range.begin);
}

}  // namespace

HeapRange GlobalHeap::stripes_of(Core core) const {
  const uint64_t first = guard_bytes_ / block_size, all = bytes_per_core_ / block_size;
  const uint64_t parts = static_cast<uint64_t>(cores());
  const uint64_t of_part = std::min<uint64_t>(kMostStripesOfPart, (all - first) / 16 / parts);
  if (core == 0) return {first, all - (parts - 1) * of_part};
  const uint64_t end = all - (parts - 1 - static_cast<uint64_t>(core)) * of_part;
  return {end - of_part, end};
}

Core GlobalHeap::core_of_stripe(uint64_t stripe) const {
  const uint64_t central_end = stripes_of(0).end;
  if (stripe < central_end || stripe >= bytes_per_core_ / block_size) return 0;
  const HeapRange next = stripes_of(1);
  return static_cast<Core>(1 + (stripe - central_end) / (next.size()));
}

uint64_t GlobalHeap::allocate(uint64_t stripes) {
  const uint64_t first = allocator_.allocate(stripes);
  if (first == StripeAllocator::kNone) return first;
  allocated += allocator_.find(first)->stripes * stripe_bytes();
  high_water.set(std::max(high_water.value(), allocated.value()));
  return first * stripe_bytes();
}

void GlobalHeap::release(const StripeAllocator::Allocation& allocation) {
  allocated.set(allocated.value() - allocation.stripes * stripe_bytes());
  allocator_.release(allocation.first_stripe);
}

size_t heap_bytes_per_core(const GlobalOptions& options) {
  const size_t all = static_cast<size_t>(cores());
  const size_t left = address_space_left();
  size_t bytes = div_up(options.heap_bytes, all);
  if (bytes == 0) {
    bytes = physical_memory_bytes() / 8 * 7 / static_cast<size_t>(topology().machine_cores);
    bytes = std::min(bytes, left / 2);  // the rest is for stacks and containers
  } else if (bytes > left) {
    input_error("--heap_bytes: a core's part of the global heap is " + std::to_string(bytes) +
                " bytes, but its address space has only " + std::to_string(left) +
                " bytes free (ulimit -v, ulimit -d)");
  }
  // The first pages of the heap are never allocated, so a heap below 1 MiB may have no stripes.
  return align_up(std::max<size_t>(detail::world().min(bytes), 1 * MiB), page_bytes());
}

GlobalHeap::GlobalHeap(size_t bytes_per_core)
    : bytes_per_core_(bytes_per_core / block_size * block_size),
      guard_bytes_(guard_bytes(bytes_per_core_)),
      allocator_(stripes_of(mycore()).begin, stripes_of(mycore()).size()) {
  GRAPPA_CHECK(is_absent(the_heap)) << "this core already has a global heap";
  map_private_at(heap_pointer(0), bytes_per_core_, "global heap");
  // Small arrays of different cores are far apart, so few bytes of a huge page would be used.
  advise_huge_pages(heap_pointer(0), stripes_of(0).end * block_size);
  GRAPPA_CHECK(protect_guard(heap_pointer(0), guard_bytes_))
      << "the kernel failed to protect the null address of the global heap";
  if (world().min(checked_mode()) != 0) live.reset(new std::map<uint64_t, uint64_t>);
  reserved.set(bytes_per_core_);
  the_heap = this;
}

GlobalHeap::~GlobalHeap() {
  unmap(heap_pointer(0), bytes_per_core_);
  live.reset();
  the_heap = GRAPPA_ABSENT(GlobalHeap);
}

void GlobalHeap::count_pages() const {
  resident.set(resident_bytes(heap_pointer(0), bytes_per_core_));
  resident_most.set(resident.value());
}

bool checks_allocations() { return live != nullptr; }

void note_allocation(uint64_t offset, size_t bytes) { live->emplace(offset, offset + bytes); }

void note_release(uint64_t offset) { live->erase(offset); }

void fail_across_blocks(uint64_t offset, size_t bytes) {
  const uint64_t last = offset + bytes - 1;
  GRAPPA_CHECK(offset / block_size == last / block_size)
      << "the element of " << bytes << " bytes at linear offset " << offset
      << " lies in several blocks, from core " << block_cyclic().core(offset) << " to core "
      << block_cyclic().core(last)
      << ": copy it with delegate::read and write, memcpy or a cache, or pad its type to 1, 2, 4, "
         "8, 16, 32 or 64 bytes";
  __builtin_unreachable();
}

void fail_other_owner(uint64_t raw_bits) {
  const Core owner = Address::from_raw(raw_bits).core();
  GRAPPA_CHECK(owner == mycore())
      << ": operator-> or operator* on " << Address::from_raw(raw_bits) << ", an element of core "
      << owner << ": the pointer is valid on the owner only; use delegate::read, write or call";
  __builtin_unreachable();
}

void fail_difference(uint64_t a, uint64_t b) {
  GRAPPA_CHECK(in_one_allocation(a, b))
      << ": the difference of " << Address::from_raw(a) << " and " << Address::from_raw(b)
      << ", which are not in one live allocation: subtract addresses in one array only";
  __builtin_unreachable();
}

bool in_one_allocation(uint64_t a, uint64_t b) {
  if (is_absent(the_heap) || live == nullptr || a == b) return true;
  // block_max() of the last element may lie after the end, but in the last stripe.
  return std::max(a, b) <= align_up(last_up_to(std::min(a, b)).end, stripe_bytes());
}

void require_allocated(Core owner, const void* place, uint64_t bytes, const char* what) {
  const uint64_t local = reinterpret_cast<uint64_t>(place) - kHeapBase;
  // An access to a null address faults, and the report of the fault mentions the null address.
  if (live == nullptr || bytes == 0 || local >= heap().bytes_per_core() || heap().is_null(place)) {
    return;
  }
  const uint64_t last = block_cyclic().linear_offset(owner, local + bytes - 1);
  require_live(HeapRange{block_cyclic().linear_offset(owner, local), last + 1}, what);
}

void require_allocated(uint64_t raw_bits, uint64_t bytes, const char* what) {
  const auto address = GlobalAddress<char>::from_raw(raw_bits);
  if (address.is_2D()) return require_allocated(address.core(), address.pointer(), bytes, what);
  if (live == nullptr || bytes == 0 || heap().is_null(address.pointer())) return;
  require_live(HeapRange{raw_bits, raw_bits + bytes}, what);
}

}}  // namespace Grappa::detail
