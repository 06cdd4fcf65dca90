#include "system/global/heap.hpp"

#include "system/base/bits.hpp"
#include "system/base/check.hpp"
#include "system/base/input_error.hpp"
#include "system/base/mapping.hpp"
#include "system/base/memory_limits.hpp"
#include "system/base/units.hpp"
#include "system/global/bulk_transfer.hpp"
#include "system/global/options.hpp"
#include "system/message/aggregator.hpp"
#include "system/net/world.hpp"
#include "system/observe/counters.hpp"

#include <algorithm>
#include <string>

namespace Grappa {
namespace detail {

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

size_t stripe_bytes() { return static_cast<size_t>(block_size) * static_cast<size_t>(cores()); }

/// The size of the inaccessible range at the null address, offset 0. If the heap is large enough,
/// the range is a huge page and also catches null addresses with an offset.
size_t guard_bytes(size_t bytes_per_core) {
  const size_t whole_pages = bytes_per_core / 64 / page_bytes() * page_bytes();
  return std::min(kHugePageBytes, std::max(page_bytes(), whole_pages));
}

/// The linear offset of a heap address, also if it is the 2D address of a symmetric object on core
/// 0.
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

/// The whole huge pages of one core in an allocation.
struct Pages {
  explicit Pages(const StripeAllocator::Allocation& allocation)
      : begin(align_up(allocation.first_stripe * block_size, kHugePageBytes)),
        end((allocation.first_stripe + allocation.stripes) * block_size / kHugePageBytes *
            kHugePageBytes) {}

  bool any() const { return begin < end; }

  /// Offers this core's pages to the kernel.
  void give_back() const {
    if (!any()) return;
    give_back_pages(reinterpret_cast<void*>(kHeapBase + begin), end - begin);
    given_back += end - begin;
  }

  uint64_t begin;
  uint64_t end;
};

/// Runs `body()` on this core and in a handler on every other core, and waits for all of them.
template <class F>
void on_every_core(const F& body) {
  BulkTransfer ended;
  BulkTransfer* const waiting = &ended;
  const Core home = mycore();
  const auto there = [body, waiting, home] {
    body();
    const auto arrived = [waiting] { waiting->arrived(1); };
    append<Acknowledged::Never, MayWait::Never>(home, nullptr, arrived);
  };
  ended.expect(static_cast<uint64_t>(cores()) - 1);
  for (int k = 1; k < cores(); ++k) {
    const Core dest = static_cast<Core>((home + k) % cores());
    append<Acknowledged::ByAnswer>(dest, nullptr, there);
  }
  body();
  ended.wait();
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
  // The first pages of the heap are never allocated, so a smaller heap may have no stripes.
  return align_up(std::max<size_t>(detail::world().min(bytes), 1 * MiB), page_bytes());
}

GlobalHeap::GlobalHeap(size_t bytes_per_core)
    : bytes_per_core_(bytes_per_core / block_size * block_size),
      guard_bytes_(guard_bytes(bytes_per_core_)) {
  GRAPPA_CHECK(is_absent(the_heap)) << "this core already has a global heap";
  map_private_at(reinterpret_cast<void*>(kHeapBase), bytes_per_core_, "global heap");
  advise_huge_pages(reinterpret_cast<void*>(kHeapBase), bytes_per_core_);
  GRAPPA_CHECK(protect_guard(reinterpret_cast<void*>(kHeapBase), guard_bytes_))
      << "the kernel failed to protect the null address of the global heap";
  if (mycore() == kMetadataCore) {
    const uint64_t first_stripe = guard_bytes_ / block_size;
    metadata_.reset(new StripeAllocator(first_stripe, bytes_per_core_ / block_size - first_stripe));
  }
  if (world().min(checked_mode()) != 0) live_allocations_.reset(new LiveAllocations);
  reserved.set(bytes_per_core_);
  the_heap = this;
}

GlobalHeap::~GlobalHeap() {
  unmap(reinterpret_cast<void*>(kHeapBase), bytes_per_core_);
  the_heap = GRAPPA_ABSENT(GlobalHeap);
}

uint64_t GlobalHeap::allocate(size_t bytes) {
  const uint64_t stripe = metadata_->allocate(div_up(bytes, stripe_bytes()));
  GRAPPA_CHECK(stripe != StripeAllocator::kNone)
      << "global_alloc of " << bytes << " bytes: the global heap of " << heap_bytes_total()
      << " bytes has " << metadata_->free_stripes() * stripe_bytes() << " free, "
      << metadata_->largest_free_range() * stripe_bytes()
      << " of them contiguous; free memory, use more nodes, or raise --heap_bytes";
  allocated += metadata_->find(stripe)->stripes * stripe_bytes();
  high_water.set(std::max(high_water.value(), allocated.value()));
  return stripe * stripe_bytes();
}

StripeAllocator::Allocation GlobalHeap::begin_release(uint64_t offset) {
  const auto address = GlobalAddress<void>::from_raw(offset);
  StripeAllocator::Allocation* const found = metadata_->find(offset / stripe_bytes());
  GRAPPA_CHECK(found != nullptr && !found->leaving)
      << "global_free of " << address << ", which is not allocated: it was freed before, or never "
      << "allocated";
  const uint64_t begin = found->first_stripe * stripe_bytes();
  GRAPPA_CHECK(offset == begin) << "global_free of " << address << ", which is " << offset - begin
                                << " bytes after the beginning of an allocation of "
                                << found->stripes * stripe_bytes()
                                << ": pass the address that global_alloc has returned, "
                                << GlobalAddress<void>::from_raw(begin);
  found->leaving = true;
  return *found;
}

void GlobalHeap::release(const StripeAllocator::Allocation& allocation) {
  allocated.set(allocated.value() - allocation.stripes * stripe_bytes());
  metadata_->release(allocation.first_stripe);
}

void GlobalHeap::count_pages() const {
  resident.set(resident_bytes(reinterpret_cast<const void*>(kHeapBase), bytes_per_core_));
  resident_most.set(resident.value());
}

uint64_t allocate_global_bytes(size_t bytes) {
  const uint64_t offset = delegate::call(kMetadataCore, [bytes] { return heap().allocate(bytes); });
  if (heap().live_allocations() != nullptr) {
    on_every_core([offset, bytes] { heap().live_allocations()->add(offset, bytes); });
  }
  return offset;
}

void set_symmetric_destroyer(uint64_t raw_bits, SymmetricDestroyer destroyer) {
  const uint64_t offset = linear_offset_of(raw_bits);
  delegate::call(kMetadataCore, [offset, destroyer] {
    heap().metadata().find(offset / stripe_bytes())->destroyer = destroyer;
  });
}

void free_global(uint64_t raw_bits) {
  if (raw_bits == 0) return;
  const uint64_t offset = linear_offset_of(raw_bits);
  struct Rest {  // the remaining work
    StripeAllocator::Allocation allocation;
    bool released;
  };
  const Rest rest = delegate::call(kMetadataCore, [offset] {
    const StripeAllocator::Allocation found = heap().begin_release(offset);
    const bool nothing_left =
        found.destroyer == nullptr && heap().live_allocations() == nullptr && !Pages(found).any();
    if (nothing_left) heap().release(found);
    return Rest{found, nothing_left};
  });
  if (rest.released) return;
  const StripeAllocator::Allocation leaving = rest.allocation;
  on_every_core([leaving] {
    const uint64_t place = kHeapBase + leaving.first_stripe * block_size;
    if (leaving.destroyer != nullptr) leaving.destroyer(reinterpret_cast<void*>(place));
    Pages(leaving).give_back();
    if (LiveAllocations* const live = heap().live_allocations()) {
      live->remove(leaving.first_stripe * stripe_bytes());
    }
  });
  delegate::call(kMetadataCore, [leaving] { heap().release(leaving); });
}

}  // namespace detail

size_t heap_bytes_total() { return detail::heap().bytes_per_core() * static_cast<size_t>(cores()); }

size_t heap_bytes_free() {
  return delegate::call(detail::kMetadataCore, [] {
    return static_cast<size_t>(detail::heap().metadata().largest_free_range() *
                               detail::stripe_bytes());
  });
}

}  // namespace Grappa
