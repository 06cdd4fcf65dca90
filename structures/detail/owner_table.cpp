#include "structures/detail/owner_table.hpp"

#include "system/base/check.hpp"
#include "system/base/mapping.hpp"

#include <cstdlib>

namespace Grappa::detail {
namespace {

/// Returns null if there is not enough memory. The kernel overcommits memory and kills a process
/// that uses too much, so this function rejects a size larger than the physical memory.
void* take(size_t count, size_t bucket_bytes) {
  if (count < kHugePageBytes / bucket_bytes) return std::malloc(count * bucket_bytes);
  if (count > physical_memory_bytes() / bucket_bytes) return nullptr;
  const size_t bytes = count * bucket_bytes;
  void* memory = nullptr;
  if (::posix_memalign(&memory, kHugePageBytes, bytes) != 0) return nullptr;
  advise_huge_pages(memory, bytes);
  return memory;
}

}  // namespace

void* BucketArray::allocate(size_t count, size_t bucket_bytes) {
  void* const buckets = take(count, bucket_bytes);
  GRAPPA_CHECK(buckets != nullptr)
      << "no memory for " << count << " buckets of " << bucket_bytes
      << " bytes for this core's part of a global set or map, which has " << elements_(this)
      << " elements: use more nodes, fewer or smaller elements, or a smaller capacity hint; if "
         "there are far more buckets than elements, use a better hash function";
  first_ = static_cast<char*>(buckets);
  mask_ = count - 1;
  bucket_bytes_ = bucket_bytes;
  return buckets;
}

void BucketArray::check_possible(size_t elements, size_t bucket_bytes) const {
  GRAPPA_CHECK(elements <= physical_memory_bytes() / bucket_bytes)
      << "no memory on this core for " << elements << " elements of " << bucket_bytes
      << " bytes, the requested capacity of a global set or map that has " << elements_(this)
      << " elements: create it with a smaller capacity hint; its tables grow as needed";
}

}  // namespace Grappa::detail
