#include "system/global/heap.hpp"

#include "system/base/check.hpp"
#include "system/base/input_error.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/global/allocator.hpp"
#include "system/global/bulk_transfer.hpp"
#include "system/global/delegate.hpp"
#include "system/global/options.hpp"
#include "system/message/aggregator.hpp"
#include "system/net/world.hpp"
#include "system/observe/counters.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>

namespace Grappa {
namespace detail {

BlockCyclic the_block_cyclic;
GRAPPA_CORE_LOCAL(GlobalHeap*) the_heap = GRAPPA_ABSENT(GlobalHeap);

namespace {

Counter allocated("global.heap_bytes", "bytes",
                  "of the global heap allocated at the end of the job");
Counter high_water("global.heap_high_water", "bytes", "of the global heap allocated at the peak");
Counter resident("global.heap_resident", "bytes",
                 "of the global heap in memory at the end of the job, sum of all cores");
Counter resident_most("global.heap_resident_most", "bytes",
                      "of the global heap in memory, maximum of all cores", Counter::Total::Max);
Counter reserved("global.heap_reserved", "bytes", "of address space reserved for the global heap");
Counter given_back("global.heap_given_back", "bytes",
                   "freed and offered to the kernel, which takes them if memory is short");

constexpr Core kMetadataCore = 0;

typedef StripeAllocator::Allocation Allocation;
typedef GlobalAddress<void> Address;

std::unique_ptr<StripeAllocator> metadata;  // on core 0

/// The allocated linear ranges, begin -> end, on every core. Null if checked mode is off.
std::unique_ptr<std::map<uint64_t, uint64_t>> live;

struct Range {
  uint64_t begin;
  uint64_t end;
};

void* heap_pointer(uint64_t local) { return reinterpret_cast<void*>(kHeapBase + local); }

size_t stripe_bytes() { return static_cast<size_t>(block_size) * static_cast<size_t>(cores()); }

/// The size of the inaccessible range at offset 0. A huge page also detects null plus an offset.
size_t guard_bytes(size_t bytes_per_core) {
  const size_t whole_pages = bytes_per_core / 64 / page_bytes() * page_bytes();
  return std::min(kHugePageBytes, std::max(page_bytes(), whole_pages));
}

/// The linear offset of a heap address, or of the 2D address of a symmetric object on core 0.
uint64_t linear_offset_of(uint64_t raw_bits) {
  const auto address = GlobalAddress<char>::from_raw(raw_bits);
  if (address.is_linear()) return raw_bits;
  const uint64_t place = reinterpret_cast<uint64_t>(address.pointer());
  GRAPPA_CHECK(address.core() == 0 && kHeapBase <= place &&
               place < kHeapBase + heap().bytes_per_core())
      << "global_free of " << address << ", which is memory of one core, not a symmetric object: "
      << "free memory of locale_alloc with locale_free";
  return block_cyclic().linear_offset(0, place - kHeapBase);
}

/// The whole huge pages in each core's part of an allocation. There are none if `begin` >= `end`.
Range pages_of(const Allocation& allocation) {
  const uint64_t end = (allocation.first_stripe + allocation.stripes) * block_size;
  return {align_up(allocation.first_stripe * block_size, kHugePageBytes),
          end / kHugePageBytes * kHugePageBytes};
}

/// Runs `body()` on this core and in a handler on every other core, and waits for all of them.
template <class F>
void on_every_core(const F& body) {
  BulkTransfer ended;
  const Core home = mycore();
  const auto there = [body, waiting = &ended, home] {
    body();
    append<Acknowledged::Never, MayWait::Never>(home, nullptr, [waiting] { waiting->arrived(1); });
  };
  ended.expect(static_cast<uint64_t>(cores()) - 1);
  for (int k = 1; k < cores(); ++k) {
    append<Acknowledged::ByAnswer>((home + k) % cores(), nullptr, there);
  }
  body();
  ended.wait();
}

void release(const Allocation& allocation) {
  allocated.set(allocated.value() - allocation.stripes * stripe_bytes());
  metadata->release(allocation.first_stripe);
}

/// Runs on core 0. If all cores must do work before the allocation at `offset` is released, marks
/// the allocation as leaving, and then only the caller may release() it. Otherwise releases the
/// allocation. Returns the metadata of the allocation.
Allocation begin_release(uint64_t offset) {
  Allocation* const found = metadata->find(offset / stripe_bytes());
  GRAPPA_CHECK(found != nullptr && !found->leaving)
      << "global_free of " << Address::from_raw(offset)
      << ", which is not allocated: it was freed before, or never allocated";
  const uint64_t begin = found->first_stripe * stripe_bytes();
  GRAPPA_CHECK(offset == begin) << "global_free of " << Address::from_raw(offset) << ", which is "
                                << offset - begin
                                << " bytes after the beginning of an allocation of "
                                << found->stripes * stripe_bytes()
                                << ": pass the address that global_alloc has returned, "
                                << Address::from_raw(begin);
  const Range pages = pages_of(*found);
  found->leaving = found->destroyer != nullptr || live != nullptr || pages.begin < pages.end;
  const Allocation result = *found;
  if (!result.leaving) release(result);
  return result;
}

/// The last live allocation that begins at or before `offset`, or an empty range at 0.
Range last_up_to(uint64_t offset) {
  const auto behind = live->upper_bound(offset);
  if (behind == live->begin()) return Range{0, 0};
  const auto found = std::prev(behind);
  return Range{found->first, found->second};
}

/// The position of an access relative to the preceding allocation.
std::string position(uint64_t offset) {
  const Range before = last_up_to(offset);
  if (before.end == 0) return "no allocation precedes these bytes";
  std::ostringstream text;
  text << "the preceding allocation has " << before.end - before.begin << " bytes at "
       << Address::from_raw(before.begin) << ", and the access begins at its offset "
       << offset - before.begin;
  return text.str();
}

void require_live(Range range, const char* what) {
  GRAPPA_CHECK(range.end <= last_up_to(range.begin).end)
      << what << " at " << Address::from_raw(range.begin) << " accesses " << range.end - range.begin
      << " bytes of the global heap that are not allocated: " << position(range.begin);
}

}  // namespace

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
      guard_bytes_(guard_bytes(bytes_per_core_)) {
  GRAPPA_CHECK(is_absent(the_heap)) << "this core already has a global heap";
  map_private_at(heap_pointer(0), bytes_per_core_, "global heap");
  advise_huge_pages(heap_pointer(0), bytes_per_core_);
  GRAPPA_CHECK(protect_guard(heap_pointer(0), guard_bytes_))
      << "the kernel failed to protect the null address of the global heap";
  if (mycore() == kMetadataCore) {
    const uint64_t first_stripe = guard_bytes_ / block_size;
    metadata.reset(new StripeAllocator(first_stripe, bytes_per_core_ / block_size - first_stripe));
  }
  if (world().min(checked_mode()) != 0) live.reset(new std::map<uint64_t, uint64_t>);
  reserved.set(bytes_per_core_);
  the_heap = this;
}

GlobalHeap::~GlobalHeap() {
  unmap(heap_pointer(0), bytes_per_core_);
  metadata.reset();
  live.reset();
  the_heap = GRAPPA_ABSENT(GlobalHeap);
}

void GlobalHeap::count_pages() const {
  resident.set(resident_bytes(heap_pointer(0), bytes_per_core_));
  resident_most.set(resident.value());
}

uint64_t allocate_global_bytes(size_t bytes) {
  const uint64_t offset = delegate::call(kMetadataCore, [bytes] {
    const uint64_t stripe = metadata->allocate(div_up(bytes, stripe_bytes()));
    GRAPPA_CHECK(stripe != StripeAllocator::kNone)
        << "global_alloc of " << bytes << " bytes: the global heap of " << heap_bytes_total()
        << " bytes has " << metadata->free_stripes() * stripe_bytes() << " free, "
        << metadata->largest_free_range() * stripe_bytes()
        << " of them contiguous; free memory, use more nodes, or raise --heap_bytes";
    allocated += metadata->find(stripe)->stripes * stripe_bytes();
    high_water.set(std::max(high_water.value(), allocated.value()));
    return stripe * stripe_bytes();
  });
  if (live) on_every_core([offset, bytes] { live->emplace(offset, offset + bytes); });
  return offset;
}

void set_symmetric_destroyer(uint64_t raw_bits, void (*destroyer)(void* object)) {
  const uint64_t offset = linear_offset_of(raw_bits);
  delegate::call(kMetadataCore, [offset, destroyer] {
    metadata->find(offset / stripe_bytes())->destroyer = destroyer;
  });
}

void free_global(uint64_t raw_bits) {
  if (raw_bits == 0) return;
  const uint64_t offset = linear_offset_of(raw_bits);
  const Allocation leaving =
      delegate::call(kMetadataCore, [offset] { return begin_release(offset); });
  if (!leaving.leaving) return;  // already freed
  on_every_core([leaving] {      // the remaining work
    if (leaving.destroyer != nullptr) {
      leaving.destroyer(heap_pointer(leaving.first_stripe * block_size));
    }
    const Range pages = pages_of(leaving);
    if (pages.begin < pages.end) {
      give_back_pages(heap_pointer(pages.begin), pages.end - pages.begin);
      given_back += pages.end - pages.begin;
    }
    if (live != nullptr) live->erase(leaving.first_stripe * stripe_bytes());
  });
  delegate::call(kMetadataCore, [leaving] { release(leaving); });
}

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
  require_live(Range{block_cyclic().linear_offset(owner, local), last + 1}, what);
}

void require_allocated(uint64_t raw_bits, uint64_t bytes, const char* what) {
  const auto address = GlobalAddress<char>::from_raw(raw_bits);
  if (address.is_2D()) return require_allocated(address.core(), address.pointer(), bytes, what);
  if (live == nullptr || bytes == 0 || heap().is_null(address.pointer())) return;
  require_live(Range{raw_bits, raw_bits + bytes}, what);
}

}  // namespace detail

size_t heap_bytes_total() { return detail::heap().bytes_per_core() * static_cast<size_t>(cores()); }

size_t heap_bytes_free() {
  return delegate::call(detail::kMetadataCore, [] {
    return static_cast<size_t>(detail::metadata->largest_free_range() * detail::stripe_bytes());
  });
}

}  // namespace Grappa
