#include "system/parallel/global_alloc.hpp"

#include "system/base/check.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/global/allocator.hpp"
#include "system/global/delegate.hpp"
#include "system/observe/counters.hpp"
#include "system/parallel/on_all_cores.hpp"

namespace Grappa {
namespace detail {
namespace {

Counter given_back("global.heap_given_back", "bytes",
                   "freed and offered to the kernel, which takes them if memory is short");

typedef StripeAllocator::Allocation Allocation;
typedef GlobalAddress<void> Address;

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

/// Calls `body` on the core that has allocated the array at `offset`.
template <class F>
auto at_allocator(uint64_t offset, const F& body) -> decltype(body()) {
  return delegate::call(heap().core_of_stripe(offset / stripe_bytes()), body);
}

/// The whole huge pages in each core's part of an allocation. There are none if `begin` >= `end`.
HeapRange pages_of(const Allocation& allocation) {
  const uint64_t end = (allocation.first_stripe + allocation.stripes) * block_size;
  return {align_up(allocation.first_stripe * block_size, kHugePageBytes),
          end / kHugePageBytes * kHugePageBytes};
}

/// Runs on the core that has allocated the array at `offset`. If all cores must do work before the
/// allocation is released, marks it as leaving, and then only the caller may release() it.
/// Otherwise releases the allocation. Returns the metadata of the allocation.
Allocation begin_release(uint64_t offset) {
  Allocation* const found = heap().allocator().find(offset / stripe_bytes());
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
  const HeapRange pages = pages_of(*found);
  found->leaving = found->destroyer != nullptr || checks_allocations() || pages.begin < pages.end;
  const Allocation result = *found;
  if (!result.leaving) heap().release(result);
  return result;
}

}  // namespace

uint64_t allocate_global_bytes(size_t bytes) {
  const uint64_t stripes = div_up(bytes, stripe_bytes());
  uint64_t offset = StripeAllocator::kNone;
  if (stripes <= heap().stripes_of(mycore()).size() / 16) offset = heap().allocate(stripes);
  if (offset == StripeAllocator::kNone) {
    offset = delegate::call(0, [bytes, stripes] {
      const uint64_t at = heap().allocate(stripes);
      GRAPPA_CHECK(at != StripeAllocator::kNone)
          << "global_alloc of " << bytes << " bytes: the global heap of " << heap_bytes_total()
          << " bytes has " << heap().allocator().free_stripes() * stripe_bytes() << " free, "
          << heap().allocator().largest_free_range() * stripe_bytes()
          << " of them contiguous, outside the parts for small arrays; free memory, use more "
             "nodes, or raise --heap_bytes";
      return at;
    });
  }
  if (checks_allocations()) {
    call_on_all_cores([offset, bytes] { note_allocation(offset, bytes); });
  }
  return offset;
}

void set_symmetric_destroyer(uint64_t raw_bits, void (*destroyer)(void* object)) {
  const uint64_t offset = linear_offset_of(raw_bits);
  at_allocator(offset, [offset, destroyer] {
    heap().allocator().find(offset / stripe_bytes())->destroyer = destroyer;
  });
}

void free_global(uint64_t raw_bits) {
  if (raw_bits == 0) return;
  const uint64_t offset = linear_offset_of(raw_bits);
  const Allocation leaving = at_allocator(offset, [offset] { return begin_release(offset); });
  if (!leaving.leaving) return;  // already freed
  call_on_all_cores([leaving] {  // the remaining work
    if (leaving.destroyer != nullptr) {
      leaving.destroyer(heap_pointer(leaving.first_stripe * block_size));
    }
    const HeapRange pages = pages_of(leaving);
    if (pages.begin < pages.end) {
      give_back_pages(heap_pointer(pages.begin), pages.end - pages.begin);
      given_back += pages.end - pages.begin;
    }
    if (checks_allocations()) note_release(leaving.first_stripe * stripe_bytes());
  });
  at_allocator(offset, [leaving] { heap().release(leaving); });
}

}  // namespace detail

size_t heap_bytes_total() { return detail::heap().bytes_per_core() * static_cast<size_t>(cores()); }

size_t heap_bytes_free() {
  return delegate::call(0, [] {
    return static_cast<size_t>(detail::heap().allocator().largest_free_range() *
                               detail::stripe_bytes());
  });
}

}  // namespace Grappa
