#include "structures/detail/owner_table.hpp"

#include "system/base/check.hpp"
#include "system/base/mapping.hpp"
#include "system/base/memory_limits.hpp"

#include <cstdlib>

namespace Grappa {
namespace detail {
namespace {

/// Null if there is none. The kernel promises more than there is, and ends whoever takes it at its
/// word; so what cannot fit in the machine is not asked for.
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
      << " elements: use more machines, fewer elements or smaller ones, or a smaller capacity "
         "hint; and a better hash function if there are far more buckets than elements";
  first_ = static_cast<char*>(buckets);
  mask_ = count - 1;
  bucket_bytes_ = bucket_bytes;
  return buckets;
}

void BucketArray::release(void* buckets) { std::free(buckets); }

void BucketArray::check_possible(size_t elements, size_t bucket_bytes) const {
  GRAPPA_CHECK(elements <= physical_memory_bytes() / bucket_bytes)
      << "no memory for " << elements << " elements of " << bucket_bytes
      << " bytes on this core, the capacity that was asked for a global set or map, which has "
      << elements_(this) << " elements: create it with a smaller hint, since it grows by itself";
}

}  // namespace detail
}  // namespace Grappa
