#include "system/global/locale_memory.hpp"

#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/global/address.hpp"
#include "system/global/allocator.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/net/world.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <unistd.h>

namespace Grappa {
namespace detail {
namespace {

/// The address on every core. It is below the global heap and AddressSanitizer's heap, above
/// AddressSanitizer's shadow memory, and far from the programs, heaps and mappings of Linux.
constexpr uint64_t kLocaleBase = uint64_t{0x110000000000};
constexpr size_t kMostBytes = size_t{1} << 43;
static_assert(kLocaleBase + kMostBytes <= kHeapBase, "the memory of a locale overlaps the heap");

/// The unit of allocation, and the minimum size of freed memory whose pages the kernel gets back.
constexpr uint64_t kRowBytes = 64;
constexpr uint64_t kBytesGivenBack = 64 * KiB;

std::unique_ptr<StripeAllocator> rows;  // rows of this core's slice, counted from kLocaleBase
uint64_t slice_bytes = 0;

}  // namespace

bool LocaleMemory::wanted = false;

LocaleMemory::LocaleMemory() {
  if (!wanted) return;
  struct Handle {
    int pid;
    int descriptor;
    uint64_t bytes;
  };
  SharedMemory created;
  if (locale_mycore() == 0) {
    // At most 1/4 of the address space if that is limited. Unused pages need no memory.
    const size_t bytes = std::min({physical_memory_bytes(), kMostBytes, address_space_left() / 4});
    created = create_shared_memory(bytes / kHugePageBytes * kHugePageBytes);
    unmap(created.address, created.bytes);
  }
  Handle handle = {static_cast<int>(::getpid()), created.descriptor, created.bytes};
  const std::vector<char> handles = world().all_gather(&handle, sizeof handle);
  const size_t first = static_cast<size_t>(topology().locale_members[0]);
  std::memcpy(&handle, handles.data() + first * sizeof handle, sizeof handle);
  bytes_ = handle.bytes;
  attach_shared_memory_at(reinterpret_cast<void*>(kLocaleBase), handle.pid, handle.descriptor,
                          bytes_, "memory of a locale");
  world().barrier();  // all cores have mapped the memory
  if (locale_mycore() == 0) close_shared_memory(&created);
  slice_bytes = bytes_ / static_cast<uint64_t>(locale_cores()) / page_bytes() * page_bytes();
  const uint64_t slice_rows = slice_bytes / kRowBytes;
  rows.reset(new StripeAllocator(static_cast<uint64_t>(locale_mycore()) * slice_rows, slice_rows));
}

LocaleMemory::~LocaleMemory() {
  if (rows != nullptr) unmap(reinterpret_cast<void*>(kLocaleBase), bytes_);
  rows.reset();
}

void* allocate_locale_bytes(uint64_t count, size_t element_bytes, size_t alignment) {
  GRAPPA_CHECK(rows != nullptr)
      << "locale_alloc outside of a job: call it between Grappa::init and Grappa::finalize";
  uint64_t row = StripeAllocator::kNone;
  if (count <= kMostBytes / element_bytes) {
    const uint64_t beyond = alignment > kRowBytes ? alignment : 0;
    row = rows->allocate(div_up(std::max<uint64_t>(count * element_bytes + beyond, 1), kRowBytes));
  }
  GRAPPA_CHECK(row != StripeAllocator::kNone)
      << "locale_alloc of " << count << " objects of " << element_bytes
      << " bytes: this core's part of the memory of the locale, " << slice_bytes
      << " bytes, has no free range of this size";
  return reinterpret_cast<void*>(align_up(kLocaleBase + row * kRowBytes, alignment));
}

void* allocate_own_bytes(uint64_t count, size_t element_bytes, size_t alignment) {
  void* memory = nullptr;
  if (count <= SIZE_MAX / 2 / element_bytes) {
    const size_t bytes = std::max<size_t>(count * element_bytes, 1);
    memory = alignment <= alignof(std::max_align_t)
                 ? std::malloc(bytes)
                 : std::aligned_alloc(alignment, align_up(bytes, alignment));
  }
  GRAPPA_CHECK(memory != nullptr) << "out of memory for a buffer or cache of " << count
                                  << " elements of " << element_bytes << " bytes";
  return memory;
}

}  // namespace detail

void locale_free(void* memory) {
  using namespace detail;
  if (memory == nullptr || rows == nullptr) return;  // finalize has freed all memory
  const uint64_t offset = reinterpret_cast<uint64_t>(memory) - kLocaleBase;
  const uint64_t place = offset / slice_bytes;
  GRAPPA_CHECK(place < static_cast<uint64_t>(locale_cores()))
      << "locale_free of " << memory << ", which is not in the memory of this locale";
  if (place != static_cast<uint64_t>(locale_mycore())) {
    return send_message(topology().locale_members[place], [memory] { locale_free(memory); });
  }
  const StripeAllocator::Allocation* const found = rows->find(offset / kRowBytes);
  GRAPPA_CHECK(found != nullptr) << "locale_free of " << memory
                                 << ", which is not allocated: it was freed before, or "
                                    "locale_alloc did not return it";
  const uint64_t first_byte = kLocaleBase + found->first_stripe * kRowBytes;
  const uint64_t bytes = found->stripes * kRowBytes;
  rows->release(found->first_stripe);
  if (bytes < kBytesGivenBack) return;
  const uint64_t begin = align_up(first_byte, page_bytes());
  remove_shared_pages(reinterpret_cast<void*>(begin),
                      (first_byte + bytes) / page_bytes() * page_bytes() - begin);
}

}  // namespace Grappa
