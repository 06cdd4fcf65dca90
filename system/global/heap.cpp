#include "system/global/heap.hpp"

#include "system/base/bits.hpp"
#include "system/base/check.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/global/options.hpp"
#include "system/net/mpi_world.hpp"

#include <algorithm>

namespace Grappa {
namespace detail {

GRAPPA_CORE_LOCAL(GlobalHeap*) the_heap = GRAPPA_ABSENT(GlobalHeap);

}  // namespace detail

namespace {

constexpr Core kBookkeeper = 0;

size_t row_bytes() { return static_cast<size_t>(block_size) * static_cast<size_t>(cores()); }

/// Symmetric objects are named by 2D addresses of core 0's copy.
uint64_t linear_offset_of(uint64_t raw_bits) {
  const auto address = GlobalAddress<char>::from_raw(raw_bits);
  if (address.is_linear()) return raw_bits;
  return block_cyclic().linear_offset(0, reinterpret_cast<uint64_t>(address.pointer()) - kHeapBase);
}

}  // namespace

size_t heap_bytes_per_core(const GlobalOptions& options) {
  const size_t all = static_cast<size_t>(cores());
  size_t bytes = div_up(options.heap_bytes, all);
  if (bytes == 0) {
    bytes = physical_memory_bytes() / 8 * 7 / static_cast<size_t>(topology().machine_cores);
  }
  // Row 0 of the heap is not used, and a heap of no rows helps nobody.
  return align_up(std::max<size_t>(mpi_min(bytes), 1 * MiB), page_bytes());
}

GlobalHeap::GlobalHeap(size_t bytes_per_core)
    : bytes_per_core_(bytes_per_core / block_size * block_size) {
  GRAPPA_CHECK(is_absent(detail::the_heap)) << "a core has one heap";
  map_private_at(reinterpret_cast<void*>(kHeapBase), bytes_per_core_, "global heap");
  advise_huge_pages(reinterpret_cast<void*>(kHeapBase), bytes_per_core_);
  // Row 0 is never given out: offset 0 is the null address.
  if (mycore() == kBookkeeper) books_.reset(new RowAllocator(1, bytes_per_core_ / block_size - 1));
  detail::the_heap = this;
}

GlobalHeap::~GlobalHeap() {
  unmap(reinterpret_cast<void*>(kHeapBase), bytes_per_core_);
  detail::the_heap = GRAPPA_ABSENT(GlobalHeap);
}

uint64_t GlobalHeap::row_of(uint64_t offset) const { return offset / row_bytes(); }

uint64_t GlobalHeap::allocate(size_t bytes) {
  const uint64_t row = books_->allocate(div_up(bytes, row_bytes()));
  GRAPPA_CHECK(row != RowAllocator::kNone)
      << "global_alloc of " << bytes << " bytes: the global heap of " << heap_bytes_total()
      << " bytes has " << books_->free_rows() * row_bytes() << " left, "
      << books_->largest_free_range() * row_bytes()
      << " in one piece; free something, use more machines, or raise --heap_bytes";
  return row * row_bytes();
}

void GlobalHeap::release(uint64_t offset) {
  GRAPPA_CHECK(offset % row_bytes() == 0 && books_->release(row_of(offset)))
      << "global_free of " << GlobalAddress<void>::from_raw(offset)
      << ", which is not the beginning of an allocation, or has been freed before";
}

size_t heap_bytes_total() { return heap().bytes_per_core() * static_cast<size_t>(cores()); }

size_t heap_bytes_free() {
  return delegate::call(kBookkeeper, [] {
    return static_cast<size_t>(heap().books().largest_free_range() * row_bytes());
  });
}

namespace detail {

uint64_t allocate_global_bytes(size_t bytes) {
  return delegate::call(kBookkeeper, [bytes] { return heap().allocate(bytes); });
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
  const SymmetricDestroyer destroyer = delegate::call(
      kBookkeeper, [offset] { return heap().books().take_destroyer(heap().row_of(offset)); });
  if (destroyer != nullptr) {
    void* object = GlobalAddress<void>::from_raw(raw_bits).pointer();
    for (Core core = 0; core < cores(); ++core) {
      delegate::call(core, [object, destroyer] { destroyer(object); });
    }
  }
  delegate::call(kBookkeeper, [offset] { heap().release(offset); });
}

}  // namespace detail
}  // namespace Grappa
