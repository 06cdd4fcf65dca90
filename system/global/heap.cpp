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
      << ": copy it by delegate::read and write, memcpy or a cache, or pad its type to 1, 2, 4, 8, "
         "16, 32 or 64 bytes";
  __builtin_unreachable();
}

GRAPPA_CORE_LOCAL(GlobalHeap*) the_heap = GRAPPA_ABSENT(GlobalHeap);

namespace {

Counter allocated("global.heap_bytes", "bytes",
                  "of the global heap that were allocated in the end");
Counter high_water("global.heap_high_water", "bytes",
                   "of the global heap that were allocated at a time at most");
Counter resident("global.heap_resident", "bytes",
                 "of the global heap that lay in memory in the end, on all cores");
Counter resident_most("global.heap_resident_most", "bytes",
                      "the same on the core that has most of them", Counter::Total::Max);
Counter reserved("global.heap_reserved", "bytes", "of address space that the global heap has");
Counter given_back("global.heap_given_back", "bytes",
                   "freed and offered to the kernel, to be taken when memory is short");

constexpr Core kBookkeeper = 0;

size_t row_bytes() { return static_cast<size_t>(block_size) * static_cast<size_t>(cores()); }

/// What lies below the first row that is given out, as offset 0 is the null address. A huge page of
/// address space where there is enough, so that what is null and a few elements is found out too.
size_t guard_bytes(size_t bytes_per_core) {
  const size_t whole_pages = bytes_per_core / 64 / page_bytes() * page_bytes();
  return std::min(kHugePageBytes, std::max(page_bytes(), whole_pages));
}

/// Symmetric objects are named by 2D addresses of core 0's copy.
uint64_t linear_offset_of(uint64_t raw_bits) {
  const auto address = GlobalAddress<char>::from_raw(raw_bits);
  if (address.is_linear()) return raw_bits;
  const uint64_t place = reinterpret_cast<uint64_t>(address.pointer());
  GRAPPA_CHECK(address.core() == 0 && kHeapBase <= place &&
               place < kHeapBase + heap().bytes_per_core())
      << "global_free of " << address
      << ", which is memory of one core and not a symmetric object: "
      << "what locale_alloc has given is freed by locale_free";
  return block_cyclic().linear_offset(0, place - kHeapBase);
}

/// The whole huge pages of a core among rows.
struct Pages {
  Pages(uint64_t first_row, uint64_t rows)
      : begin(align_up(first_row * block_size, kHugePageBytes)),
        end((first_row + rows) * block_size / kHugePageBytes * kHugePageBytes) {}

  uint64_t begin;
  uint64_t end;
};

/// Runs `body()` as a handler on every core, here at once, and waits until all have ended.
template <class F>
void on_every_core(const F& body) {
  BulkTransfer ended;
  BulkTransfer* const waiting = &ended;
  const Core home = mycore();
  const auto there = [body, waiting, home] {
    body();
    const auto arrived = [waiting] { waiting->arrived(1); };
    aggregator().append<Acknowledged::Never, MayWait::Never>(home, nullptr, arrived);
  };
  ended.expect(static_cast<uint64_t>(cores()) - 1);
  for (int k = 1; k < cores(); ++k) {
    const Core dest = static_cast<Core>((home + k) % cores());
    aggregator().append<Acknowledged::ByAnswer>(dest, nullptr, there);
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
    bytes = std::min(bytes, left / 2);  // stacks and containers want to be mapped too
  } else if (bytes > left) {
    input_error("--heap_bytes: a core's part of the global heap is " + std::to_string(bytes) +
                " bytes, but its address space is limited (ulimit -v, ulimit -d), and has " +
                std::to_string(left) + " bytes left");
  }
  // The first pages of the heap are not used, and a heap of no rows helps nobody.
  return align_up(std::max<size_t>(detail::world().min(bytes), 1 * MiB), page_bytes());
}

GlobalHeap::GlobalHeap(size_t bytes_per_core)
    : bytes_per_core_(bytes_per_core / block_size * block_size),
      guard_bytes_(guard_bytes(bytes_per_core_)) {
  GRAPPA_CHECK(is_absent(the_heap)) << "a core has one heap";
  map_private_at(reinterpret_cast<void*>(kHeapBase), bytes_per_core_, "global heap");
  advise_huge_pages(reinterpret_cast<void*>(kHeapBase), bytes_per_core_);
  GRAPPA_CHECK(protect_guard(reinterpret_cast<void*>(kHeapBase), guard_bytes_))
      << "the kernel refuses to protect the null address of the global heap";
  if (mycore() == kBookkeeper) {
    const uint64_t first_row = guard_bytes_ / block_size;
    books_.reset(new RowAllocator(first_row, bytes_per_core_ / block_size - first_row));
  }
  if (world().min(checked_mode()) != 0) live_allocations_.reset(new LiveAllocations);
  reserved.set(bytes_per_core_);
  the_heap = this;
}

GlobalHeap::~GlobalHeap() {
  unmap(reinterpret_cast<void*>(kHeapBase), bytes_per_core_);
  the_heap = GRAPPA_ABSENT(GlobalHeap);
}

uint64_t GlobalHeap::row_of(uint64_t offset) const { return offset / row_bytes(); }

uint64_t GlobalHeap::allocate(size_t bytes) {
  const uint64_t row = books_->allocate(div_up(bytes, row_bytes()));
  GRAPPA_CHECK(row != RowAllocator::kNone)
      << "global_alloc of " << bytes << " bytes: the global heap of " << heap_bytes_total()
      << " bytes has " << books_->free_rows() * row_bytes() << " left, "
      << books_->largest_free_range() * row_bytes()
      << " in one piece; free something, use more machines, or raise --heap_bytes";
  allocated += books_->find(row)->rows * row_bytes();
  high_water.set(std::max(high_water.value(), allocated.value()));
  return row * row_bytes();
}

RowAllocator::Allocation GlobalHeap::begin_release(uint64_t offset) {
  const auto address = GlobalAddress<void>::from_raw(offset);
  const RowAllocator::Allocation* const found = books_->find(row_of(offset));
  GRAPPA_CHECK(found != nullptr && !found->leaving)
      << "global_free of " << address << ", which is not allocated: it has been freed before, or "
      << "never was";
  const uint64_t begin = found->first_row * row_bytes();
  GRAPPA_CHECK(offset == begin) << "global_free of " << address << ", which lies " << offset - begin
                                << " bytes behind the beginning of an allocation of "
                                << found->rows * row_bytes()
                                << ": free what global_alloc has returned, "
                                << GlobalAddress<void>::from_raw(begin);
  books_->set_leaving(found->first_row);
  return *found;
}

void GlobalHeap::release(const RowAllocator::Allocation& allocation) {
  allocated.set(allocated.value() - allocation.rows * row_bytes());
  books_->release(allocation.first_row);
}

bool GlobalHeap::has_pages(uint64_t first_row, uint64_t rows) {
  const Pages pages(first_row, rows);
  return pages.begin < pages.end;
}

void GlobalHeap::give_back(uint64_t first_row, uint64_t rows) {
  if (!has_pages(first_row, rows)) return;
  const Pages pages(first_row, rows);
  give_back_pages(reinterpret_cast<void*>(kHeapBase + pages.begin), pages.end - pages.begin);
  given_back += pages.end - pages.begin;
}

void GlobalHeap::count_pages() const {
  resident.set(resident_bytes(reinterpret_cast<const void*>(kHeapBase), bytes_per_core_));
  resident_most.set(resident.value());
}

uint64_t allocate_global_bytes(size_t bytes) {
  const uint64_t offset = delegate::call(kBookkeeper, [bytes] { return heap().allocate(bytes); });
  if (heap().live_allocations() != nullptr) {
    on_every_core([offset, bytes] { heap().live_allocations()->add(offset, bytes); });
  }
  return offset;
}

void set_symmetric_destroyer(uint64_t raw_bits, SymmetricDestroyer destroyer) {
  const uint64_t offset = linear_offset_of(raw_bits);
  delegate::call(kBookkeeper, [offset, destroyer] {
    heap().books().set_destroyer(heap().row_of(offset), destroyer);
  });
}

void free_global(uint64_t raw_bits) {
  if (raw_bits == 0) return;
  const uint64_t offset = linear_offset_of(raw_bits);
  struct Rest {  // what is left to do
    RowAllocator::Allocation allocation;
    bool released;
  };
  const Rest rest = delegate::call(kBookkeeper, [offset] {
    const RowAllocator::Allocation found = heap().begin_release(offset);
    const bool nothing_left = found.destroyer == nullptr && heap().live_allocations() == nullptr &&
                              !GlobalHeap::has_pages(found.first_row, found.rows);
    if (nothing_left) heap().release(found);
    return Rest{found, nothing_left};
  });
  if (rest.released) return;
  const RowAllocator::Allocation leaving = rest.allocation;
  on_every_core([leaving] {
    const uint64_t place = kHeapBase + leaving.first_row * block_size;
    if (leaving.destroyer != nullptr) leaving.destroyer(reinterpret_cast<void*>(place));
    heap().give_back(leaving.first_row, leaving.rows);
    if (LiveAllocations* const live = heap().live_allocations()) {
      live->remove(leaving.first_row * row_bytes());
    }
  });
  delegate::call(kBookkeeper, [leaving] { heap().release(leaving); });
}

}  // namespace detail

size_t heap_bytes_total() { return detail::heap().bytes_per_core() * static_cast<size_t>(cores()); }

size_t heap_bytes_free() {
  return delegate::call(detail::kBookkeeper, [] {
    return static_cast<size_t>(detail::heap().books().largest_free_range() * detail::row_bytes());
  });
}

}  // namespace Grappa
